/**
 * What `node --test` printed of one file with each of its reporters, recorded from Node 20, 22, 24 and 26, their own stack
 * frames left out. Where nobody names a reporter, Node 20 and 22 print TAP to a pipe, and later ones what `spec` prints. A
 * test passes, one of a suite fails, and two of it are yet to pass.
 */
export interface Printed {
  readonly reporter: string
  readonly output: string
}

export const nodeTests: ReadonlyArray<Printed> = [
  {
    reporter: "spec, Node 20",
    output: `✔ adds (21.558866ms)
▶ cart
  ✖ takes ten percent off (36.378976ms)
    AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:
    
    40 !== 45
    
        at TestContext.<anonymous> (file:///shop/cart.test.mjs:5:46)
      generatedMessage: true,
      code: 'ERR_ASSERTION',
      actual: 40,
      expected: 45,
      operator: 'strictEqual'
    }

  ✖ knows a voucher (0.222648ms) # TODO
    TypeError [Error]: no voucher
        at TestContext.<anonymous> (file:///shop/cart.test.mjs:6:57)
        at async Promise.all (index 0)

  ✖ ships it (0.147377ms) # next week
    Error: connect ECONNREFUSED 127.0.0.1:80
        at TestContext.<anonymous> (file:///shop/cart.test.mjs:7:57)

✖ cart (37.255911ms)
ℹ tests 4
ℹ suites 1
ℹ pass 1
ℹ fail 1
ℹ cancelled 0
ℹ skipped 0
ℹ todo 2
ℹ duration_ms 971.181408

✖ failing tests:

test at cart.test.mjs:5:3
✖ takes ten percent off (36.378976ms)
  AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:
  
  40 !== 45
  
      at TestContext.<anonymous> (file:///shop/cart.test.mjs:5:46)
    generatedMessage: true,
    code: 'ERR_ASSERTION',
    actual: 40,
    expected: 45,
    operator: 'strictEqual'
  }

test at cart.test.mjs:6:3
✖ knows a voucher (0.222648ms) # TODO
  TypeError [Error]: no voucher
      at TestContext.<anonymous> (file:///shop/cart.test.mjs:6:57)
      at async Promise.all (index 0)

test at cart.test.mjs:7:3
✖ ships it (0.147377ms) # next week
  Error: connect ECONNREFUSED 127.0.0.1:80
      at TestContext.<anonymous> (file:///shop/cart.test.mjs:7:57)`
  },
  {
    reporter: "spec, Node 22",
    output: `✔ adds (0.810261ms)
▶ cart
  ✖ takes ten percent off (2.762824ms)
  ✖ knows a voucher (0.129794ms) # TODO
  ✖ ships it (0.115777ms) # next week
✖ cart (3.553167ms)
ℹ tests 4
ℹ suites 1
ℹ pass 1
ℹ fail 1
ℹ cancelled 0
ℹ skipped 0
ℹ todo 2
ℹ duration_ms 453.082743

✖ failing tests:

test at cart.test.mjs:5:3
✖ takes ten percent off (2.762824ms)
  AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:
  
  40 !== 45
  
      at TestContext.<anonymous> (file:///shop/cart.test.mjs:5:46)
    generatedMessage: true,
    code: 'ERR_ASSERTION',
    actual: 40,
    expected: 45,
    operator: 'strictEqual',
    diff: 'simple'
  }

test at cart.test.mjs:6:3
✖ knows a voucher (0.129794ms) # TODO
  TypeError: no voucher
      at TestContext.<anonymous> (file:///shop/cart.test.mjs:6:57)
      at async Promise.all (index 0)

test at cart.test.mjs:7:3
✖ ships it (0.115777ms) # next week
  Error: connect ECONNREFUSED 127.0.0.1:80
      at TestContext.<anonymous> (file:///shop/cart.test.mjs:7:57)`
  },
  {
    reporter: "spec, Node 24",
    output: `✔ adds (0.806303ms)
▶ cart
  ✖ takes ten percent off (1.050661ms)
  ⚠ knows a voucher (0.134853ms) # TODO
  ⚠ ships it (0.128892ms) # next week
✖ cart (2.082488ms)
ℹ tests 4
ℹ suites 1
ℹ pass 1
ℹ fail 1
ℹ cancelled 0
ℹ skipped 0
ℹ todo 2
ℹ duration_ms 299.664783

✖ failing tests:

test at cart.test.mjs:5:3
✖ takes ten percent off (1.050661ms)
  AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:
  
  40 !== 45
  
      at TestContext.<anonymous> (file:///shop/cart.test.mjs:5:46)
    generatedMessage: true,
    code: 'ERR_ASSERTION',
    actual: 40,
    expected: 45,
    operator: 'strictEqual',
    diff: 'simple'
  }

test at cart.test.mjs:6:3
⚠ knows a voucher (0.134853ms) # TODO
  TypeError: no voucher
      at TestContext.<anonymous> (file:///shop/cart.test.mjs:6:57)
      at async Promise.all (index 0)

test at cart.test.mjs:7:3
⚠ ships it (0.128892ms) # next week
  Error: connect ECONNREFUSED 127.0.0.1:80
      at TestContext.<anonymous> (file:///shop/cart.test.mjs:7:57)`
  },
  {
    reporter: "spec, Node 26",
    output: `✔ adds (0.928202ms)
▶ cart
  ✖ takes ten percent off (1.072984ms)
  ⚠ knows a voucher (0.131527ms) # TODO
  ⚠ ships it (0.177053ms) # next week
✖ cart (3.299301ms)
ℹ tests 4
ℹ suites 1
ℹ pass 1
ℹ fail 1
ℹ cancelled 0
ℹ skipped 0
ℹ todo 2
ℹ duration_ms 481.914876

✖ failing tests:

test at cart.test.mjs:5:3
✖ takes ten percent off (1.072984ms)
  AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:
  
  40 !== 45
  
      at TestContext.<anonymous> (file:///shop/cart.test.mjs:5:46)
    generatedMessage: true,
    code: 'ERR_ASSERTION',
    actual: 40,
    expected: 45,
    operator: 'strictEqual',
    diff: 'simple'
  }

test at cart.test.mjs:6:3
⚠ knows a voucher (0.131527ms) # TODO
  TypeError [Error]: no voucher
      at TestContext.<anonymous> (file:///shop/cart.test.mjs:6:57)
      at async Promise.all (index 0)

test at cart.test.mjs:7:3
⚠ ships it (0.177053ms) # next week
  Error: connect ECONNREFUSED 127.0.0.1:80
      at TestContext.<anonymous> (file:///shop/cart.test.mjs:7:57)`
  },
  {
    reporter: "TAP, Node 20",
    output: `TAP version 13
# Subtest: adds
ok 1 - adds
  ---
  duration_ms: 1.519381
  ...
# Subtest: cart
    # Subtest: takes ten percent off
    not ok 1 - takes ten percent off
      ---
      duration_ms: 2.309494
      location: '/shop/cart.test.mjs:5:3'
      failureType: 'testCodeFailure'
      error: |-
        Expected values to be strictly equal:
        
        40 !== 45
        
      code: 'ERR_ASSERTION'
      name: 'AssertionError'
      expected: 45
      actual: 40
      operator: 'strictEqual'
      stack: |-
        TestContext.<anonymous> (file:///shop/cart.test.mjs:5:46)
      ...
    # Subtest: knows a voucher
    not ok 2 - knows a voucher # TODO
      ---
      duration_ms: 0.254146
      location: '/shop/cart.test.mjs:6:3'
      failureType: 'testCodeFailure'
      error: 'no voucher'
      code: 'ERR_TEST_FAILURE'
      name: 'TypeError'
      stack: |-
        TestContext.<anonymous> (file:///shop/cart.test.mjs:6:57)
        async Promise.all (index 0)
      ...
    # Subtest: ships it
    not ok 3 - ships it # TODO next week
      ---
      duration_ms: 0.131858
      location: '/shop/cart.test.mjs:7:3'
      failureType: 'testCodeFailure'
      error: 'connect ECONNREFUSED 127.0.0.1:80'
      code: 'ERR_TEST_FAILURE'
      stack: |-
        TestContext.<anonymous> (file:///shop/cart.test.mjs:7:57)
      ...
    1..3
not ok 2 - cart
  ---
  duration_ms: 3.172584
  type: 'suite'
  location: '/shop/cart.test.mjs:4:1'
  failureType: 'subtestsFailed'
  error: '1 subtest failed'
  code: 'ERR_TEST_FAILURE'
  ...
1..2
# tests 4
# suites 1
# pass 1
# fail 1
# cancelled 0
# skipped 0
# todo 2
# duration_ms 916.67096`
  },
  {
    reporter: "TAP, Node 22 to 26",
    output: `TAP version 13
# Subtest: adds
ok 1 - adds
  ---
  duration_ms: 0.821081
  type: 'test'
  ...
# Subtest: cart
    # Subtest: takes ten percent off
    not ok 1 - takes ten percent off
      ---
      duration_ms: 21.44967
      type: 'test'
      location: '/shop/cart.test.mjs:5:3'
      failureType: 'testCodeFailure'
      error: |-
        Expected values to be strictly equal:
        
        40 !== 45
        
      code: 'ERR_ASSERTION'
      name: 'AssertionError'
      expected: 45
      actual: 40
      operator: 'strictEqual'
      stack: |-
        TestContext.<anonymous> (file:///shop/cart.test.mjs:5:46)
      ...
    # Subtest: knows a voucher
    not ok 2 - knows a voucher # TODO
      ---
      duration_ms: 0.145373
      type: 'test'
      location: '/shop/cart.test.mjs:6:3'
      failureType: 'testCodeFailure'
      error: 'no voucher'
      code: 'ERR_TEST_FAILURE'
      name: 'TypeError'
      stack: |-
        TestContext.<anonymous> (file:///shop/cart.test.mjs:6:57)
        async Promise.all (index 0)
      ...
    # Subtest: ships it
    not ok 3 - ships it # TODO next week
      ---
      duration_ms: 0.30906
      type: 'test'
      location: '/shop/cart.test.mjs:7:3'
      failureType: 'testCodeFailure'
      error: 'connect ECONNREFUSED 127.0.0.1:80'
      code: 'ERR_TEST_FAILURE'
      stack: |-
        TestContext.<anonymous> (file:///shop/cart.test.mjs:7:57)
      ...
    1..3
not ok 2 - cart
  ---
  duration_ms: 56.449628
  type: 'suite'
  location: '/shop/cart.test.mjs:4:1'
  failureType: 'subtestsFailed'
  error: '1 subtest failed'
  code: 'ERR_TEST_FAILURE'
  ...
1..2
# tests 4
# suites 1
# pass 1
# fail 1
# cancelled 0
# skipped 0
# todo 2
# duration_ms 697.015714`
  },
  {
    reporter: "dot, Node 22",
    output: `.XXXX

Failed tests:

✖ takes ten percent off (1.005617ms)
  AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:
  
  40 !== 45
  
      at TestContext.<anonymous> (file:///shop/cart.test.mjs:5:46)
    generatedMessage: true,
    code: 'ERR_ASSERTION',
    actual: 40,
    expected: 45,
    operator: 'strictEqual',
    diff: 'simple'
  }
✖ knows a voucher (0.139792ms) # TODO
  TypeError: no voucher
      at TestContext.<anonymous> (file:///shop/cart.test.mjs:6:57)
      at async Promise.all (index 0)
✖ ships it (0.147206ms) # next week
  Error: connect ECONNREFUSED 127.0.0.1:80
      at TestContext.<anonymous> (file:///shop/cart.test.mjs:7:57)
✖ cart (1.793966ms)
  '1 subtest failed'`
  },
  {
    reporter: "dot, Node 26",
    output: `.XXXX

Failed tests:

✖ takes ten percent off (1.309588ms)
  AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:
  
  40 !== 45
  
      at TestContext.<anonymous> (file:///shop/cart.test.mjs:5:46)
    generatedMessage: true,
    code: 'ERR_ASSERTION',
    actual: 40,
    expected: 45,
    operator: 'strictEqual',
    diff: 'simple'
  }
⚠ knows a voucher (0.230954ms) # TODO
  TypeError [Error]: no voucher
      at TestContext.<anonymous> (file:///shop/cart.test.mjs:6:57)
      at async Promise.all (index 0)
⚠ ships it (0.186901ms) # next week
  Error: connect ECONNREFUSED 127.0.0.1:80
      at TestContext.<anonymous> (file:///shop/cart.test.mjs:7:57)
✖ cart (4.633004ms)
  '1 subtest failed'`
  }
]
