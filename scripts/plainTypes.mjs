/** Writes a module's exported types without imports. The types that they use are written in full. */
import ts from "typescript"

const indent = (text) => text.replaceAll("\n", "\n  ")

const key = (name) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name))

const isOurs = (symbol) =>
  symbol?.declarations?.some((node) => node.getSourceFile().fileName.includes("/packages/core/src/")) ?? false

/** Writes types as text. A named type of ours becomes an interface or an alias. */
const writer = (checker) => {
  const declared = new Map()
  const names = new Map()

  const comment = (symbol) => {
    const text = ts.displayPartsToString(symbol.getDocumentationComment(checker)).trim()
    return text === "" ? "" : `/** ${text.replaceAll("\n", "\n * ")} */\n`
  }

  const property = (symbol, at) => {
    const type = checker.getTypeOfSymbolAtLocation(symbol, at)
    const optional = (symbol.flags & ts.SymbolFlags.Optional) !== 0
    const isPlain = type.flags & (ts.TypeFlags.Unknown | ts.TypeFlags.Any)
    const shown = write(optional && !isPlain ? checker.getNonNullableType(type) : type, at)
    const nullable = optional && type.isUnion() && type.types.some((one) => one.flags & ts.TypeFlags.Null)
    return `${comment(symbol)}readonly ${key(symbol.name)}${optional ? "?" : ""}: ${shown}${nullable ? " | null" : ""}`
  }

  const members = (type, at) => {
    const own = checker.getPropertiesOfType(type).map((symbol) => property(symbol, at))
    const index = checker
      .getIndexInfosOfType(type)
      .map(({ type: value }) => `readonly [key: string]: ${write(value, at)}`)
    return `{\n${[...own, ...index].map((line) => `  ${indent(line)}`).join("\n")}\n}`
  }

  const body = (type, at) => {
    if (type.flags & ts.TypeFlags.Boolean) return "boolean"
    if (type.isUnion())
      return [...new Set(type.types.map((one) => write(one, at)))].join(" | ").replace("false | true", "boolean")
    if (checker.isArrayType(type)) return `ReadonlyArray<${write(checker.getTypeArguments(type)[0], at)}>`
    if (checker.isTupleType(type))
      return `readonly [${checker
        .getTypeArguments(type)
        .map((one) => write(one, at))
        .join(", ")}]`
    if (type.getCallSignatures().length > 0)
      throw new Error(`a plain type can't have a function: ${checker.typeToString(type)}`)
    return type.flags & ts.TypeFlags.Object || type.isIntersection() ? members(type, at) : checker.typeToString(type)
  }

  const named = (name, type, at) => {
    const known = names.get(type)
    if (known !== undefined) return known
    const taken = [...names.values()]
    const free = taken.includes(name) ? `${name}${taken.filter((one) => one.startsWith(name)).length + 1}` : name
    names.set(type, free)
    declared.set(free, "")
    declared.set(free, `export type ${free} = ${body(type, at)}`)
    return free
  }

  const write = (type, at) => {
    const symbol = type.aliasSymbol ?? (type.flags & ts.TypeFlags.Object ? type.symbol : undefined)
    const isNamed = isOurs(symbol) && /^[A-Z]\w+$/.test(symbol.name) && (type.aliasTypeArguments?.length ?? 0) === 0
    return isNamed ? named(symbol.name, type, at) : body(type, at)
  }

  return { comment, declared, named, write }
}

/** Returns the declarations of everything that the module `entry` exports, with the options of a `tsconfig`. */
export const plainTypes = (entry, tsconfig) => {
  const { options } = ts.getParsedCommandLineOfConfigFile(tsconfig, {}, ts.sys)
  const program = ts.createProgram([entry], { ...options, noEmit: true, composite: false, incremental: false })
  const checker = program.getTypeChecker()
  const source = program.getSourceFile(entry)
  const { comment, declared, named, write } = writer(checker)
  const functions = []
  for (const symbol of checker.getExportsOfModule(checker.getSymbolAtLocation(source))) {
    if ((symbol.flags & ts.SymbolFlags.Value) === 0) {
      named(symbol.name, checker.getDeclaredTypeOfSymbol(symbol), source)
      continue
    }
    const [signature] = checker.getTypeOfSymbolAtLocation(symbol, source).getCallSignatures()
    const given = signature.getParameters().map((one) => {
      const { initializer, questionToken } = one.valueDeclaration
      const optional = initializer !== undefined || questionToken !== undefined
      return `${one.name}${optional ? "?" : ""}: ${write(checker.getTypeOfSymbolAtLocation(one, source), source)}`
    })
    functions.push(
      `${comment(symbol)}export declare const ${symbol.name}: (${given.join(", ")}) => ${write(signature.getReturnType(), source)}`
    )
  }
  return `${[...declared.values(), ...functions].join("\n\n")}\n`
}
