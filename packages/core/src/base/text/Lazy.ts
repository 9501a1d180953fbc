/** Makes a value when it is first asked for, so that a short process pays only for the tables that its event needs. */
export const lazy = <A>(make: () => A): (() => A) => {
  let made: { readonly value: A } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
