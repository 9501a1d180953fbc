import type { RetryTask } from "../../retry/RetryTask.ts"

const tsconfig = `{ "compilerOptions": { "strict": true, "noEmit": true, "module": "esnext", "target": "es2022", "types": [] }, "include": ["src"] }
`

const account = `export interface Account {
  readonly id: string
  readonly owner: string
}

export const nameOf = (account: Account): string => account.name
`

/** Forty uses of a field that was renamed, in ten files. */
const uses = Object.fromEntries(
  Array.from({ length: 10 }, (_, file) => [
    `src/view${file + 1}.ts`,
    [
      'import type { Account } from "./account.ts"',
      "",
      ...Array.from({ length: 4 }, (_, use) => `export const title${use + 1} = (account: Account) => account.title`),
      ""
    ].join("\n")
  ])
)

/** Compilers, type checkers and linters, and the two compiled languages' tests. */
export const compilers: ReadonlyArray<RetryTask> = [
  {
    id: "tsc-one",
    why: "One error: the field that is read does not exist on the type.",
    runner: "tsc",
    failureType: "typecheck_failure",
    files: { "tsconfig.json": tsconfig, "src/account.ts": account },
    command: "npx tsc -p .",
    repeats: true,
    failures: [{ places: ["src/account.ts:6"], message: "Property 'name' does not exist on type 'Account'" }]
  },
  {
    id: "tsc-forty",
    why: "A field was renamed and forty lines still read it: each of them says the same, and to be told of one is enough.",
    runner: "tsc, forty errors",
    failureType: "typecheck_failure",
    files: {
      "tsconfig.json": tsconfig.replace('"types": []', '"types": [], "allowImportingTsExtensions": true'),
      "src/account.ts": `export interface Account {
  readonly id: string
  readonly heading: string
}
`,
      ...uses
    },
    command: "npx tsc -p .",
    repeats: true,
    failures: Object.keys(uses).flatMap((file) =>
      [3, 4, 5, 6].map((line) => ({
        places: [`${file}:${line}`],
        message: "Property 'title' does not exist on type 'Account'"
      }))
    )
  },
  {
    id: "tsc-below-npm",
    why: "The build stops at the type check, below npm: the tests that would follow never ran.",
    runner: "npm run build over tsc",
    failureType: "build_failure",
    files: {
      "package.json": `{ "name": "shop", "version": "1.0.0", "scripts": { "check": "tsc -p .", "build": "npm run check && node build.mjs" } }
`,
      "build.mjs": "console.log('built')\n",
      "tsconfig.json": tsconfig,
      "src/account.ts": account
    },
    command: "npm run build",
    second: {
      "src/account.ts": account.replace("account.name", "account.owner.length")
    },
    repeats: false,
    failures: [{ places: ["src/account.ts:6"], message: "Property 'name' does not exist on type 'Account'" }]
  },
  {
    id: "oxlint-findings",
    why: "The linter found one thing that the project forbids; the rule and the place are what there is to know.",
    runner: "oxlint",
    failureType: "verification_failed",
    files: {
      "src/cart.js": `export const total = (prices) => {
  debugger
  return prices.reduce((sum, price) => sum + price, 0)
}
`
    },
    command: "npx oxlint --deny-warnings src",
    repeats: true,
    failures: [{ places: ["src/cart.js:2"], message: "debugger" }]
  },
  {
    id: "cargo-test",
    why: "One of two tests fails at an equality; the panic names its place and both sides.",
    runner: "cargo test",
    failureType: "test_failure",
    files: {
      "Cargo.toml": `[package]
name = "shop"
version = "0.1.0"
edition = "2021"
`,
      "src/lib.rs": `pub fn total(prices: &[u32], percent: u32) -> u32 {
    let sum: u32 = prices.iter().sum();
    sum - percent
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adds_up() {
        assert_eq!(total(&[10, 20], 0), 30);
    }

    #[test]
    fn takes_a_share_off() {
        assert_eq!(total(&[2000, 3000], 10), 4500);
    }
}
`
    },
    command: "cargo test --offline",
    repeats: true,
    failures: [
      { test: "takes_a_share_off", places: ["src/lib.rs:17", "src/lib.rs:16"], expected: "4500", received: "4990" }
    ]
  },
  {
    id: "cargo-unwrap",
    why: "The test dies in the library, where a missing value is unwrapped; there are no two values.",
    runner: "cargo test, a panic",
    failureType: "test_failure",
    files: {
      "Cargo.toml": `[package]
name = "shop"
version = "0.1.0"
edition = "2021"
`,
      "src/lib.rs": `use std::collections::HashMap;

pub fn price(list: &HashMap<String, u32>, name: &str) -> u32 {
    *list.get(name).expect("no price in the list")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knows_no_price_of_a_new_thing() {
        assert_eq!(price(&HashMap::new(), "tea"), 0);
    }
}
`
    },
    command: "cargo test --offline",
    repeats: true,
    failures: [
      {
        test: "knows_no_price_of_a_new_thing",
        places: ["src/lib.rs:4", "src/lib.rs:13"],
        message: "no price in the list"
      }
    ]
  },
  {
    id: "cargo-build",
    why: "Two types do not match; the compiler shows the line and which is which.",
    runner: "cargo build",
    failureType: "build_failure",
    files: {
      "Cargo.toml": `[package]
name = "shop"
version = "0.1.0"
edition = "2021"
`,
      "src/lib.rs": `pub fn label(cents: u32) -> String {
    let euros = cents / 100;
    euros
}
`
    },
    command: "cargo build --offline",
    repeats: true,
    failures: [{ places: ["src/lib.rs:3"], message: "mismatched types" }]
  },
  {
    id: "javac-symbol",
    why: "A method that does not exist is called; the compiler names the place and the symbol.",
    runner: "javac",
    failureType: "build_failure",
    files: {
      "src/Cart.java": `import java.util.List;

public class Cart {
  public static int total(List<Integer> prices) {
    int sum = 0;
    for (int price : prices) sum += price;
    return round(sum);
  }
}
`
    },
    command: "javac -d out src/Cart.java",
    repeats: true,
    failures: [{ places: ["src/Cart.java:7"], message: "cannot find symbol" }]
  },
  {
    id: "java-exception",
    why: "The program dies of an index that is out of range; the first frame is the place.",
    runner: "java",
    failureType: "runtime_error",
    files: {
      "src/Last.java": `import java.util.List;

public class Last {
  static String last(List<String> names) {
    return names.get(names.size());
  }

  public static void main(String[] arguments) {
    System.out.println(last(List.of("ada", "bob")));
  }
}
`
    },
    command: "javac -d out src/Last.java && java -cp out Last",
    repeats: true,
    failures: [{ places: ["src/Last.java:5", "Last.java:5"], message: "Index: 2 Size: 2" }]
  }
]
