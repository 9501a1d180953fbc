/** The script of a report's page: tabs, charts, the filter of sessions, and the marks of pushes. */
import type { PageData } from "../src/report/charts.ts"
import { drawAll } from "./charts.ts"
import { marking } from "./marks.ts"
import { filter } from "./sessions.ts"
import { tabs } from "./tabs.ts"

const text = document.getElementById("data")?.textContent ?? ""
const data: PageData = JSON.parse(text)

const draw = drawAll(data.charts)
tabs(draw)
filter()
marking(data)
draw()
