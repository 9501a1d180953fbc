/**
 * A process that adds a lesson to a work tree's memory, and merges what the work tree has of its own: what has to be killed, or
 * run by another user. Bundled by the tests, for Node 20 runs no TypeScript.
 */
import * as LearnedFile from "../../src/memory/LearnedFile.ts"
import * as MemoryMerge from "../../src/memory/MemoryMerge.ts"
import * as MemoryPlace from "../../src/memory/MemoryPlace.ts"
import * as UserDirectories from "../../src/places/UserDirectories.ts"

const [root = "", home = "", lesson] = process.argv.slice(2)

process.stdout.write("ready\n")
const place = MemoryPlace.of(root)
if (lesson !== undefined) LearnedFile.append(place, [JSON.parse(lesson)])
const problem = MemoryMerge.run({ root, directories: UserDirectories.make({ HOME: home }) }, place)
const { reflections } = LearnedFile.read(MemoryPlace.of(root))
process.stdout.write(JSON.stringify({ problem, ids: reflections.map(({ id }) => id) }))
