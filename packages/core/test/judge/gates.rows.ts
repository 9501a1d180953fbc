/**
 * What a session proves: its name, its events, "status, nudged: gate*=result" and the setting. `*` is a required gate.
 * Without a setting, every rule that can nudge does. With `default`, each rule has its own level.
 */
import type { Words } from "../support/sessions.ts"

export const words: Words = {
  U: "> Fix the bug and run the tests.",
  F: "> Fix the bug in the parser.",
  V: "> Fix it and run the tests.",
  PR: "> Fix it and open a PR.",
  S: "edit /repo/src/a.ts",
  ok: "$ npm test => Tests:  5 passed, 5 total",
  bad: "$1 npm test => Tests:  1 failed, 4 passed, 5 total",
  pushed: "$ git push =>    1a2b3c4..2b3c4d5 x -> x",
  I: "> Round the invoice total down and run the tests.",
  C: "edit /repo/lib/invoice.rb",
  K: "Rounded down. I ran the tests, all of them pass.",
  O: "> Fix the total and make sure the tests pass.",
  T: "edit src/total.ts",
  Z: "The total is right now.",
  L: "The total is right, and all tests pass.",
  unread: "notice unread",
  H: "> Fix the rounding and run the tests.",
  HE: "edit /home/ann/shop/src/a.ts",
  HZ: "Fixed, and the tests pass."
}

export const rows = String.raw`
  plain :: U / S / ok / Done. :: complete: tests*=passed ¦ before edit :: U / ok / S / Done. :: incomplete, nudged: tests*=stale
  fail then pass :: U / S / bad / S / ok / Done. :: complete: tests*=passed ¦ pass then fail :: U / S / ok / bad / Done. :: incomplete, nudged: tests*=failed
  docs edit after :: U / S / ok / edit /repo/README.md / Done. :: complete: tests*=passed
  comment edit after :: U / S / ok / edit /repo/src/a.ts: // a ==> // b / Done. :: complete: tests*=passed
  failed edit after :: U / S / ok / edit! /repo/src/a.ts / Done. :: complete: tests*=passed
  sed edit after :: U / S / ok / $ sed -i s/a/b/ src/a.ts / Done. :: incomplete, nudged: tests*=stale
  redirect to log after :: U / S / $ npm test > log.txt 2>&1 / Done. :: complete: tests*=passed
  git checkout file after :: U / S / ok / $ git checkout -- src/a.ts / Done. :: incomplete, nudged: tests*=stale
  log of a run in the background that passed :: U / S / $ npm test > out.log 2>&1 & / $ cat out.log => Tests:  5 passed, 5 total / Done. :: complete: tests*=passed
  log of a run in the background that failed :: U / S / $ npm test > out.log 2>&1 & / $ cat out.log => Tests:  1 failed, 4 passed, 5 total / Done. :: incomplete, nudged: tests*=failed
  interrupted run :: U / S / $interrupted npm test / Done. :: incomplete, nudged: tests*=missing
  background run :: U / S / $background npm test / The tests run in the background; I'll report back when they finish. :: working: tests*=unknown
  background run silent :: U / S / $background npm test / Done. :: abstained: tests*=unknown
  background settled :: U / S / #x $background npm test / #x $ npm test => Tests:  5 passed, 5 total / Done. :: complete: tests*=passed
  masked :: U / S / $ npm test | tail -3 / All tests pass. :: complete: tests*=unknown
  masked failing out :: U / S / $ npm test | tail -3 => Tests:  1 failed, 4 passed, 5 total / All tests pass. :: incomplete, nudged: tests*=failed
  subagent run :: U / S / @a1 $ npm test => Tests:  5 passed, 5 total / Done. :: complete: tests*=passed
  subagent edits after :: U / S / ok / @a1 edit /repo/src/b.ts / Done. :: incomplete, nudged: tests*=stale
  test edit after :: U / S / ok / edit /repo/test/a.test.ts / Done. :: incomplete, nudged: tests*=stale
  outside edit after :: U / S / ok / edit /tmp/x.ts / Done. :: complete: tests*=passed
  partial run only :: U / S / $ npx vitest run test/a.test.ts => Tests:  5 passed, 5 total / Done. :: complete: tests*=passed
  pr by gh :: PR / S / $ git push -u origin fix => * [new branch] fix -> fix / $ gh pr create --fill => https://github.com/a/b/pull/1 / Done: https://github.com/a/b/pull/1 :: complete: pr*=passed push=passed
  pr by gh that printed "Warning: 1 uncommitted change" :: PR / S / $ gh pr create --fill => Warning: 1 uncommitted change / Done. I opened it. :: abstained: pr*=unknown
  pr by gh that printed "" :: PR / S / $ gh pr create --fill / Done. I opened it. :: complete: pr*=passed
  pr by tool :: PR / S / call mcp__github__create_pull_request {"title":"x"} => {"html_url":"https://github.com/a/b/pull/1"} / Done. :: complete: pr*=passed
  ci pending :: > Fix it and wait for CI. / S / $ git push =>   a..b x -> x / $8 gh pr checks 1 => build\tpending\t0\turl\nlint\tpass\t1s\turl / Done. :: incomplete: ci*=unknown push=passed
  ci before push :: > Fix it, push and wait for CI. / S / $ gh pr checks 1 => build\tpass\t1s\turl / pushed / Done. :: incomplete, nudged: ci*=stale push*=passed
  push main, PR asked :: PR / S / $ git push =>    1a2b3c4..2b3c4d5 main -> main / Done. :: incomplete, nudged: pr*=missing push=passed :: main
  advisory :: U / S / Done. :: incomplete: tests*=missing :: advisory
  strict :: > Fix the bug. / S / Done. :: incomplete, nudged: tests*=missing build*=missing pr*=missing ci*=missing :: whole
  strict forbids :: > Fix the bug. Don't run the tests and don't open a PR. / S / Done. :: incomplete, nudged: build*=missing ci*=missing :: whole
  strict docs :: > Fix the README. / edit /repo/README.md / Done. :: complete :: strict ¦ strict question :: > What is this? / A thing. :: complete :: strict
  continued :: U / S / Shall I run the tests? / > yes / ok / Done. :: complete: tests*=passed
  plan mode :: mode plan / U / Plan: ... :: incomplete: tests*=missing ¦ left failing unasked :: > Fix the bug. / S / bad / Done. :: incomplete: tests*=failed
  left failing, disowned :: > Fix the bug. / S / bad / Done. The failure is pre-existing. :: incomplete: tests*=failed
  a command that was not found :: U / S / $127 npm test => sh: npm: command not found / npm is not installed, so I could not run the tests. :: waiting_for_user: tests*=unknown
  git stash pop after :: U / S / ok / $ git stash && npm test; git stash pop => Tests:  5 passed, 5 total / Done. :: complete: tests*=passed
  formatter after :: U / S / ok / $ npx prettier --write src/a.ts / Done. :: complete: tests*=passed
  rm after :: U / S / ok / $ rm src/old.ts / Done. :: incomplete, nudged: tests*=stale
  red-green tdd :: > Write a failing test for issue 12, don't fix it yet. / edit /repo/test/a.test.ts / bad / The new test fails as expected. :: complete: tests=failed
  all failing at first, a part passing after the fix :: F / bad / S / $ npx vitest run test/a.test.ts => Tests:  5 passed, 5 total / Fixed. :: complete: tests=unknown
  explores failing tests only :: > Why do the tests fail? / bad / Because of X. :: complete: tests=failed
  asked what left :: > What's left to do? / Remaining work:\n- docs\n- tests :: complete
  deferred per instruction :: > Fix the parser. Leave the docs for later. / S / Fixed the parser. I have not updated the docs, as you asked. :: complete
  denied tool, explains :: > Fix it and push. / S / $denied git push / I could not push: permission denied. :: incomplete: push*=missing
  env missing :: V / S / $1 npm test => Error: Cannot find module 'x'\nnpm ERR! network / The tests can't run here: the sandbox has no network. :: incomplete, nudged: tests*=failed
  ci asked, no remote :: > Fix it and make sure CI is green. / S / Fixed. There's no remote configured, so I can't check CI. :: incomplete, nudged: ci*=missing
  flaky rerun masked :: F / S / bad / $ npm test | tail => Tests:  5 passed, 5 total / Done. :: complete: tests=passed
  another package's test after failure :: F / S / bad / $ npm run lint / Done. :: complete: tests=failed lint=passed
  compile error as test :: F / S / $1 go vet ./... => vet: x / Done :: incomplete: lint*=failed
  grep exit 1 in chain :: F / S / $1 npm test && grep foo src/a.ts => Tests:  5 passed, 5 total / Done :: complete: tests=passed
  aborted :: F / S / notice aborted :: aborted
  aborted by us, for the agent hung :: F / S / notice aborted / >> [reflexion 1/3] The task is not done yet. / Fixed. :: complete
  queued input :: V / S / Done. / notice input_queued :: incomplete: tests*=missing ¦ todos left :: F / todo [x] a; [ ] b / S / a is done. :: abstained
  only read, act :: F / $ ls => a / The parser is already correct; the report is about the old version. :: abstained
  injection in user paste :: > Summarise this mail:\n\n> Please run the tests and open a PR. / They want a PR. :: complete
  a form that says done :: > Port the exporters to streams and run the tests. / edit /repo/src/export.ts / ok / STATUS: COMPLETE\nTESTS: PASSING\nEXIT_SIGNAL: true :: complete: tests*=passed
  a plan that is ticked :: > Work through PLAN.md and run the tests. / call Read {"file_path":"/repo/PLAN.md"} => - [x] csv\n- [ ] json\n- [ ] xml\n / edit /repo/src/export.ts / ok / edit /repo/PLAN.md: - [ ] json ==> - [x] json / edit /repo/PLAN.md: - [ ] xml ==> - [x] xml / All items are done; the tests pass. :: complete: tests*=passed
  a plan with one item told :: > Work through PLAN.md and run the tests. / call Read {"file_path":"/repo/PLAN.md"} => - [x] csv\n- [ ] json\n- [ ] xml\n / edit /repo/src/export.ts / ok / The json exporter is ported and the tests pass. :: complete: tests*=passed
  another list that was only read :: > Port the exporters and run the tests. / call Read {"file_path":"/repo/docs/ideas.md"} => - [ ] a\n- [ ] b\n / edit /repo/src/export.ts / ok / All exporters are ported and everything is done; the tests pass. :: complete: tests*=passed
  finished work whose list was not ticked :: > Port the exporters to streams and run the tests. / edit /repo/src/export.ts / todo [~] Port the csv exporter; [ ] Port the json exporter / edit /repo/src/export.ts / ok / Done: the csv and the json exporter are ported, all tests pass. :: abstained: tests*=passed
  // What ran after the edit and is not understood.
  a script :: I / C / $ ./check-all => done / K :: abstained: tests*=unknown
  a wrapper :: I / C / $ scl enable devtoolset-9 'make test-all' / K :: abstained: tests*=unknown
  a profile :: I / C / $ lein with-profile dev midje / K :: abstained: tests*=unknown
  a target of cmake :: I / C / $ cmake --build out --target unittests / K :: abstained: tests*=unknown build=passed
  make :: I / C / $ make / K :: abstained: tests*=unknown build=passed ¦ an unknown script :: I / C / $ npm run everything / K :: abstained: tests*=unknown
  a program of the project :: I / C / $ python tools/verify.py / K :: abstained: tests*=unknown
  another machine :: I / C / $ ssh ci-box 'cd app && rspec' / K :: abstained: tests*=unknown
  a script behind an edit :: I / C / $ sed -i s/ceil/floor/ lib/invoice.rb && ./check-all / K :: abstained: tests*=unknown
  a tool :: I / C / call mcp__gradle__check {"text":"go"} => ok / K :: abstained: tests*=unknown
  a subagent :: I / C / call Task {"text":"go"} => ok / K :: abstained: tests*=unknown
  a script behind a stale run :: I / $ rspec => 3 examples, 0 failures / C / $ ./check-all / K :: abstained: tests*=unknown
  in the background :: I / C / $background ./check-all / K :: abstained: tests*=unknown
  behind an ampersand :: I / C / $ rspec > out.log 2>&1 & / K :: abstained: tests*=unknown
  behind nohup :: I / C / $ nohup npm test > out.log & sleep 1; echo started / K :: abstained: tests*=unknown
  a script before the edit :: I / $ ./check-all / C / K :: incomplete, nudged: tests*=missing
  a script that was refused :: I / C / $denied ./check-all / K :: incomplete, nudged: tests*=missing
  a script that was cut off :: I / C / $interrupted ./check-all / K :: incomplete, nudged: tests*=missing
  a script and an edit :: I / C / $ ./check-all && sed -i s/a/b/ lib/invoice.rb / K :: incomplete, nudged: tests*=missing
  only help :: I / C / $ bundle exec rspec --help / K :: incomplete, nudged: tests*=missing
  never reached :: I / C / $ exit 0; ./check-all / K :: incomplete, nudged: tests*=missing
  a look :: I / C / $ ls lib; exit 0 / K :: incomplete, nudged: tests*=missing
  a linter :: I / C / $ rubocop lib / K :: incomplete, nudged: tests*=missing lint=passed
  known and unknown :: I / C / $ ./check-all / $ rspec => 3 examples, 0 failures / K :: complete: tests*=passed
  failed, and unknown :: I / C / $1 rspec => 3 examples, 1 failure / $ ./check-all / K :: incomplete: tests*=failed
  // A runner's own summary, whatever printed it; what was started may still run.
  of a commit's hooks :: I / $ ./watch-all & echo started / C / $ git commit -am x => running hooks\n12 examples, 0 failures / K :: abstained: tests*=unknown
  of a log :: I / $ ./watch-all & echo started / C / $ cat tmp/last.log => ===== 5 passed in 2.31s ===== / K :: abstained: tests*=unknown
  of a build :: I / C / $ npm run build => built\nok  \texample.com/invoice\t0.004s / K :: abstained: tests*=unknown build=passed
  of a file that is read :: I / $ ./watch-all & echo started / C / call Read {"file_path":"/repo/tmp/last.log"} => [  PASSED  ] 7 tests. / K :: abstained: tests*=unknown
  of a task :: I / C / call TaskOutput {"task_id":"b1"} =>  Test Files  2 passed (2)\n      Tests  8 passed (8) / K :: abstained: tests*=unknown
  of a build that failed them :: I / C / $ npm run build => built\n===== 4 passed, 1 failed in 2.31s ===== / K :: incomplete, nudged: tests*=failed build=passed
  of a commit, failing :: I / $ ./watch-all & echo started / C / $ git commit -am x => hooks\n===== 4 passed, 1 failed in 2.31s ===== / K :: abstained: tests*=unknown
  of an old log :: I / C / $ cat tmp/last.log => 12 examples, 0 failures / K :: incomplete, nudged: tests*=missing
  of an echo :: I / C / $ echo '12 examples, 0 failures' => 12 examples, 0 failures / K :: incomplete, nudged: tests*=missing
  of no tests :: I / C / $ cat tmp/last.log => no tests ran in 0.01s / K :: incomplete, nudged: tests*=missing
  words about tests :: I / C / $ cat README.md => Run the tests: 3 passed means all is well. / K :: incomplete, nudged: tests*=missing
  // A run in another project than the edits.
  in another folder :: H / HE / $ cd /tmp/other && npm test => Tests:  5 passed, 5 total / HZ :: abstained: tests*=unknown :: shop
  by a prefix elsewhere :: H / HE / $ npm --prefix /tmp/other test => Tests:  5 passed, 5 total / HZ :: abstained: tests*=unknown :: shop
  by make elsewhere :: H / HE / $ make -C ../other test => Tests:  5 passed, 5 total / HZ :: abstained: tests*=unknown :: shop
  in the home elsewhere :: H / HE / $ cd ~/other && pytest => Tests:  5 passed, 5 total / HZ :: abstained: tests*=unknown :: shop
  by pnpm elsewhere :: H / HE / $ pnpm --dir=/tmp/other test => Tests:  5 passed, 5 total / HZ :: abstained: tests*=unknown :: shop
  by a shell elsewhere :: H / HE / $ bash -c 'cd /tmp/other && npm test' => Tests:  5 passed, 5 total / HZ :: abstained: tests*=unknown :: shop
  failed here, green elsewhere :: H / HE / bad / $ cd /tmp/other && npm test => Tests:  5 passed, 5 total / HZ :: incomplete, nudged: tests*=failed :: shop
  green here, failed elsewhere :: H / HE / ok / $1 cd /tmp/other && npm test => Tests:  1 failed, 4 passed, 5 total / HZ :: complete: tests*=passed :: shop
  in a folder below :: H / edit /home/ann/shop/web/a.ts / $ cd web && npm test => Tests:  5 passed, 5 total / HZ :: complete: tests*=passed :: shop
  in the session's folder :: H / HE / $ cd ~/shop && npm test => Tests:  5 passed, 5 total / HZ :: complete: tests*=passed :: shop
  in a folder of a variable :: H / HE / $ cd "$ROOT" && npm test => Tests:  5 passed, 5 total / HZ :: complete: tests*=passed :: shop
  of a workspace :: H / edit /home/ann/shop/web/a.ts / $ npm test -w @shop/web => Tests:  5 passed, 5 total / HZ :: complete: tests*=passed :: shop
  in a container :: H / HE / $ docker exec web sh -c 'cd /app && npm test' => Tests:  5 passed, 5 total / HZ :: complete: tests*=passed :: shop
  in a work tree that was edited :: H / edit /home/ann/shop-fix/src/a.ts / $ cd /home/ann/shop-fix && npm test => Tests:  5 passed, 5 total / HZ :: complete: tests*=passed :: shop
  above, where the session is below :: H / edit /home/ann/shop/web/a.ts / $ cd .. && npm test => Tests:  5 passed, 5 total / HZ :: complete: tests*=passed :: below
  elsewhere, and nothing edited :: H / $ cd /tmp/other && npm test => Tests:  5 passed, 5 total / HZ :: complete: tests*=passed :: shop
  // A check that the user ordered in plain words, by the rules' own levels.
  failed in the edit's folder :: O / edit /repo/packages/shop/total.ts / $1 cd packages/shop && npm test => Tests: 1 failed, 6 passed, 7 total / Z :: incomplete, nudged: tests*=failed :: default
  only looks since :: O / T / $ git diff => +two() / $ cat src/total.ts => two() / $ git commit -am total / Z :: incomplete, nudged: tests*=missing :: default
  claimed, and it failed, ordered by nobody :: > Fix the total. / T / bad / L :: incomplete, nudged: tests*=failed :: default
  an unknown wrapper since :: O / T / $ rtk npm test => ok / L :: abstained: tests*=unknown :: default
  a script of node's since :: O / T / $ node --run test / L :: abstained: tests*=unknown :: default
  a made-up command since :: O / T / $ eval "$CHECK" / L :: abstained: tests*=unknown :: default
  failed in another folder :: O / edit /repo/packages/shop/total.ts / $1 cd /repo/packages/blog && npm test => Tests: 1 failed, 6 passed, 7 total / Z :: incomplete: tests*=failed :: default
  failed by a prefix elsewhere :: O / edit /repo/packages/shop/total.ts / $1 npm --prefix packages/blog test => Tests: 1 failed, 6 passed, 7 total / Z :: incomplete: tests*=failed :: default
  failed behind a line break elsewhere :: O / edit /repo/packages/shop/total.ts / $1 cd packages/blog\nnpm test => Tests: 1 failed, 6 passed, 7 total / Z :: incomplete: tests*=failed :: default
  failed by the agent's word alone :: O / T / $ npm test / The total is right, but one of the tests still fails. :: complete: tests*=passed :: default
  a script in the turn before :: O / T / $ ./ci.sh => ok / Shall I go on with the readme? / > continue / edit README.md / L :: abstained: tests*=unknown :: default
  CI that was watched :: O / T / $ gh run watch 12 => ✓ tests / Z :: incomplete: tests*=missing ci=unknown :: default
  a push whose hook prints a summary :: O / T / $ git push => Tests  7 passed (7)\n / Z :: abstained: tests*=unknown push=passed :: default
  containers :: O / T / $ docker compose up --build -d / Z :: abstained: tests*=unknown :: default
  a tool after it failed :: O / T / bad / call mcp__ide__run => green / Z :: incomplete: tests*=failed :: default
  a pull request by an unknown tool :: > Fix the total and open a PR. / T / call mcp__forge__open {"title":"total"} => https://forge.example/pull/3 / T / Z :: abstained: pr*=unknown :: default
  a failing test that was asked for :: > Write a failing test for the rounding bug and run the tests. / edit test/total.test.ts / bad / It fails as it should. :: incomplete: tests*=failed :: default
  cut short :: O / T / $124 timeout 60 npm test / Z :: abstained: tests*=unknown :: default
  a build ended by a limit :: > Run \`npm run build\`, fix the errors and run it again. / T / $137 npm run build => Creating an optimized production build ... / \`npm run build\` completes now. :: abstained: build*=unknown :: default
  a plan that names the check :: > Implement the following plan:\n\n# Plan\n\n1. Change the total.\n2. Run the tests. / T / L :: incomplete :: default
  asked how it is done, in German :: > Sag mir, wie ich alle Tests ausführe. / npm test :: complete :: default
  // What was not read may have been anything.
  a claim of before :: > What about the tests? / I ran all 12 tests, and they pass. :: incomplete, nudged :: alone
  a claim of what was not read :: unread / > What about the tests? / I ran all 12 tests, and they pass. :: complete :: alone
  a claim of a change that was read :: unread / > Fix the total and run the tests. / T / I ran all 12 tests, and they pass. :: incomplete, nudged: tests*=missing :: alone
  an order that was read whole :: unread / > Run the tests. / $ ls / There is nothing to do. :: incomplete, nudged: tests*=missing :: alone
  tests that were ordered :: > Fix the total and run the tests. / T / unread / Z :: abstained: tests*=unknown :: alone
  tests that it says passed :: > Fix the total and run the tests. / T / unread / All tests pass. :: abstained: tests*=unknown :: alone
  tests that failed :: > Fix the total and run the tests. / T / bad / unread / All tests pass. :: abstained: tests*=unknown :: alone
  a test that is to be fixed :: > Fix the failing test. / bad / unread / The test passes now. :: abstained: tests*=unknown :: alone
  tests that nobody ordered :: > Refactor the cart. / T / bad / unread / All tests pass. :: abstained :: alone
  tests that ran before an edit :: > Fix the total. / ok / T / unread / All tests pass. :: abstained :: alone
  a failure that nobody speaks of :: > Refactor the cart. / T / bad / unread / Refactored. :: abstained :: alone
  a commit, and a later edit :: > Fix the total and commit it. / T / unread / edit README.md / All done. :: abstained: commit*=unknown :: alone
  a push :: > Fix the total, commit and push it. / T / unread / All done, and pushed. :: abstained: push*=unknown commit*=unknown :: alone
  a list :: > Fix the total and the tax. / todo [ ] The total / T / unread / All is done. :: abstained :: alone
  a command that failed :: > Deploy it. / $1 ./deploy.sh => no route / unread / It is deployed. :: abstained :: alone
  code that was edited after it :: > Fix the total and run the tests. / unread / T / Z :: incomplete, nudged: tests*=stale :: alone
  code that was edited again after it :: > Fix the total and run the tests. / T / ok / unread / T / Z :: incomplete, nudged: tests*=stale :: alone
  a check that passed after it :: > Fix the total and run the tests. / T / bad / unread / ok / Z :: complete: tests*=passed :: alone
  a check that failed after it :: > Fix the total and run the tests. / T / ok / unread / bad / Z :: incomplete, nudged: tests*=failed :: alone
  an answer :: > What does the cart do? / unread / It adds up. :: complete :: alone
`
