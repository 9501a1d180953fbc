export * as Reflexion from "./Reflexion.ts"
