/** Makes a value at its first use, so that a short process builds only the tables that it needs. */
export const lazy = <A>(make: () => A): (() => A) => {
  let made: { readonly value: A } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
