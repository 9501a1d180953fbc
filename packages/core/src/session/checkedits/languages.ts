/** How the commonest test runners write tests down, a row for each language: what declares one, leaves it out and asserts. */
import { lazy } from "../../ground/text/Lazy.ts"

/**
 * `tests` has a group `name`, and may have `mods`, which says that it is left out or the only one. `skips` are statements that
 * leave a test out, `asserts` those that can fail. A `block` is a declaration that only holds others.
 */
export interface Language {
  readonly tests: RegExp
  readonly skips: RegExp
  readonly asserts: RegExp
  readonly mocks: RegExp | null
  readonly blocks: RegExp | null
}

const quoted = "[\"'`](?<name>[^\"'`\\n]{1,200})"

const scriptTest = String.raw`(?<![\w.$'"])(?<mods>[xf]?(?:it|test|specify|describe|context|suite|testWidgets|blocTest)|Deno\.test|\bRuntime\.test)(?<more>(?:\.\w{1,24}(?:\([^()\n]{0,200}\)|<[^<>\n]{0,100}>)?){0,4})\s{0,4}\(\s{0,60}${quoted}`

const make = (): Readonly<Record<string, Language>> => {
  const javascript: Language = {
    tests: new RegExp(scriptTest, "g"),
    skips:
      /\b(?:this|t|ctx|context|test|it)\.(?:skip|todo|fixme|fail)\((?!\s{0,4}["'`])|\b(?:skip|todo|fails): ?(?:true|["'`])|^return;?$|\bpending\(/,
    asserts:
      /(?<![\w.])(?:expect|assert\w*|should|sinon\.assert|cy|chai|t|tap)\b[\w.]{0,40}\(.|\.should[.(]|\bexpect\w*\(/,
    mocks:
      /\b(?:jest|vi|vitest|mock|td|sinon|proxyquire)\.?(?:mock|doMock|module|unstable_mockModule|replace|replaceEsm|spyOn|stub|noCallThru)?\(\s{0,8}(?<name>["'`][^"'`\n]{1,200}["'`]|[\w.]{1,80})(?<more>[^\n]{0,200})/g,
    blocks: /(?<![\w.$])[xf]?(?:describe|context|suite)\b/
  }
  const jvm: Language = {
    tests:
      /@(?:Test|ParameterizedTest|RepeatedTest|TestFactory|Property|Theory)\b(?:\([^)\n]{0,300}\))?(?:\s{1,40}@\w{1,40}(?:\([^)\n]{0,300}\))?){0,6}\s{1,40}(?:(?:public|private|protected|internal|final|suspend|static|open|override|void|fun|def|async|[\w<>?,]{1,60}) {1,4}){0,6}(?<name>`[^`\n]{1,200}|\w{1,200}) ?\(|\b(?:test|it|should)\("(?<other>[^"\n]{1,200})"|^\s{0,40}"(?<third>[^"\n]{1,200})" (?:in|should|\{)/gm,
    skips:
      /@(?:Disabled|Ignore|DisabledIf\w{0,40}|DisabledOn\w{0,20}|EnabledIf\w{0,40})\b|\benabled ?= ?false|\bassum(?:e|ing)\w{0,10}\(|\bSkipException|\.config\(enabled ?= ?false|\bignore\(|\bpending\b|^return;?$/,
    asserts:
      /\b(?:assert\w{0,40}|verify\w{0,20}|fail|expect\w{0,20}|then|check)\s{0,4}[({]|\bshould(?:Be|Not|Have|Throw|Equal|Contain|Match)?\w{0,20}\b|\.andExpect\(|\bassert\b|@Test\((?:expected|timeout)/,
    mocks:
      /(?:@(?:Mock|MockBean|Spy|MockK|InjectMocks)\s{1,20}(?:(?:private|lateinit|final|var|val) {1,4}){0,4}(?:\w{1,60}: ?)?|\b(?:mock|spy|mockk|mockkObject|mockkClass|mockStatic|mockConstruction|mockkStatic)(?:<)?\(?)(?<name>[A-Z]\w{1,80})(?<more>[^\n]{0,200})/g,
    blocks: null
  }
  return {
    javascript,
    python: {
      tests: /^[ \t]{0,40}(?:async {1,4})?(?:def {1,4}(?<name>test\w{0,200})|class {1,4}(?<other>Test\w{0,100}))/gm,
      skips:
        /@(?:pytest\.mark|mark)\.(?:skip|skipif|xfail)\b|\badd_marker\(.{0,40}(?:skip|xfail)|@(?:unittest\.)?(?:skip(?:If|Unless)?|expectedFailure)\b|\bself\.skipTest\(|\bpytest\.(?:skip|xfail|importorskip)\(|\braise (?:unittest\.)?SkipTest|__test__ ?= ?False|^return$|^pytestmark ?=.{0,80}(?:skip|xfail)/,
      asserts:
        /^(?:assert\b|self\.(?:assert|fail)\w{0,40}\(|(?:with )?(?:pytest\.(?:raises|warns|fail)|self\.assert\w{1,40})|[\w.]{1,40}\.(?:assert_\w{1,40}|testing\.assert_\w{1,40})\(|assert_\w{1,40}\(|expect\()/,
      mocks:
        /(?:\b(?:mock\.)?patch(?:\.object)?\(|\bmonkeypatch\.setattr\(|\bmocker\.patch(?:\.object)?\()\s{0,20}(?<name>["'][^"'\n]{1,200}["']|[\w.]{1,80})(?<more>[^\n]{0,200})/g,
      blocks: /class {1,4}Test/
    },
    go: {
      tests:
        /^func {1,4}(?:\([^)\n]{1,80}\) ?)?(?<name>(?:Test|Fuzz|Example)\w{0,200})\(|\bt\.Run\("(?<other>[^"\n]{1,200})"|\b(?<mods>[XPF]?(?:It|Specify|Describe|Context|Entry))\("(?<third>[^"\n]{1,200})"/gm,
      skips: /\b[tbf]\.Skip(?:f|Now)?\(|\btesting\.Short\(\)|^\/\/go:build\b|\bSkip\(["']|^return$|\bPending\(/,
      asserts:
        /\b(?:assert|require|is|qt|must|c)\.[A-Z]\w{0,40}\(|\bcmp\.Diff\(|\bExpect\(|^(?:\} else )?if\b(?!.{0,200}(?:[!=]= ?nil$|\berr[!=]=)).{0,300}(?:[!=]=|[<>]|DeepEqual|errors\.(?:Is|As)|\.Equal\()/,
      mocks: null,
      blocks: /\b[XPF]?(?:Describe|Context)\(/
    },
    rust: {
      tests:
        /#\[(?:\w{1,40}::){0,3}(?:test|rstest|proptest|test_case|wasm_bindgen_test|bench)\b[^\]\n]{0,200}\](?:\s{1,40}#\[[^\]\n]{0,200}\]){0,6}\s{1,40}(?:pub(?:\([a-z]{1,10}\))? {1,4})?(?:async {1,4})?fn {1,4}(?<name>\w{1,200})/g,
      skips:
        /#\[(?:ignore\b|should_panic\b|cfg\(ignore|cfg_attr\([^\]\n]{0,100}ignore)|#\[cfg\((?:any\(\)|not\(test\)|FALSE|feature ?= ?["']|not\(|target_os)|^return;$/,
      asserts: /\b(?:debug_)?assert\w{0,30}!|\bprop_assert\w{0,10}!|#\[should_panic|\bpanic!|\.unwrap_err\(|\bmatches!/,
      mocks: null,
      blocks: null
    },
    jvm,
    dotnet: {
      tests:
        /\[(?:Fact|Theory|Test|TestMethod|TestCase|TestCaseSource|DataTestMethod|Property|UnityTest)\b[^\]\n]{0,300}\](?:\s{0,40}\[[^\]\n]{0,300}\]){0,8}\s{1,40}(?:(?:public|private|internal|async|static|override|virtual|void|unsafe|[\w<>?,.]{1,60}) {1,4}){1,6}(?<name>\w{1,200})\s?\(|<(?:Fact|Test|TestMethod)>_?\s{1,40}(?:let|Public Sub) {1,4}(?<other>\w{1,200}|``[^`\n]{1,200})/g,
      skips:
        /\bSkip ?= ?\$?@?["'\w]|\[(?:Ignore|Explicit)\b|\bAssert\.(?:Ignore|Inconclusive|Pass|Skip)\(|\bSkip\.If\(|^return;$/,
      asserts:
        /\b(?:\w{0,20}Assert|Assertion)\.\w{1,40}|\.Should\(\)|\.Should\w{1,40}\(|\.Verify\w{0,20}\(|\.(?:MustHaveHappened|Received)\(|\[ExpectedException/,
      mocks: /\b(?:new Mock<|Substitute\.For<|A\.Fake<|Mock\.Of<)(?<name>\w{1,80})(?<more>[^\n]{0,200})/g,
      blocks: null
    },
    ruby: {
      tests:
        /^[ \t]{0,40}(?<mods>[xf]?(?:it|specify|example|scenario|describe|context|feature|test|should))(?<more>)[ (]{1,4}["'](?<name>[^"'\n]{1,200})|^[ \t]{0,40}def {1,4}(?<other>test_\w{1,200})/gm,
      skips:
        /^(?:skip|pending|x?skip)\b(?![\w.]| ?=)|[,{] ?:?(?:skip|pending)(?: ?=>|:) ?(?:true|["'])|, ?:(?:skip|pending)\b|^return$|^omit\b/,
      asserts: /\b(?:expect|assert\w{0,30}|refute\w{0,30}|flunk)\b|\.(?:must|wont)_\w{1,30}|\.should\b|\bis_expected\b/,
      mocks:
        /\b(?:allow(?:_any_instance_of)?|allow_any_instance_of|class_double|instance_double|stub_const)\(\s{0,8}(?<name>["']?[A-Z][\w:]{1,80}["']?)(?<more>[^\n]{0,200})|\b(?<other>[A-Z][\w:]{1,80})\.(?:stub|stubs|any_instance)\b/g,
      blocks: /^[ \t]{0,40}[xf]?(?:describe|context|feature)\b/
    },
    php: {
      tests:
        /\bfunction {1,4}(?<name>test\w{1,200})\s?\(|(?:#\[Test\]|@test\b[^\n]{0,40}\n(?:\s{0,40}\*[^\n]{0,200}\n){0,8}?)\s{0,40}(?:\*\/\s{0,40})?(?:public {1,4})?function {1,4}(?<third>\w{1,200})|^\s{0,40}(?<mods>it|test|describe)\((?<more>)["'](?<other>[^"'\n]{1,200})/gm,
      skips:
        /\bmarkTest(?:Skipped|Incomplete)\(|->(?:skip|todo|only)\(|#\[(?:Group\('skip|RequiresPhp|DoesNotPerformAssertions)|@(?:requires|doesNotPerformAssertions)\b|\bexpectNotToPerformAssertions\(|^return;$/,
      asserts:
        /(?:->|::)assert\w{1,40}\(|(?:->|::)(?:expectException\w{0,10}|fail)\(|\bexpect\(|->should\w{0,40}\(|^assert\(/,
      mocks:
        /\b(?:createMock|createStub|createPartialMock|getMockBuilder|Mockery::mock|prophesize|mock|partialMock)\(\s{0,8}['"\\]{0,2}(?<name>[A-Z][\w\\]{1,80})(?<more>[^\n]{0,200})/g,
      blocks: null
    },
    swift: {
      tests:
        /\bfunc {1,4}(?<name>test\w{0,200})\s?\(|@Test(?:\((?:"(?<other>[^"\n]{1,200})")?[^)\n]{0,200}\))?\s{1,40}(?:(?:@\w{1,40}|private|public|static|mutating) {1,4}){0,4}func {1,4}(?<third>\w{1,200})/g,
      skips: /\bXCTSkip\w{0,10}\(|\.disabled\(|\.disabled\b|\bXCTExpectFailure\(|\bwithKnownIssue\b|^return$/,
      asserts: /\bXCT(?:Assert\w{0,40}|Fail|Unwrap)\(|#(?:expect|require)\(|\bexpect\(|\bassertSnapshot\(/,
      mocks: null,
      blocks: null
    },
    elixir: {
      tests: /^[ \t]{0,40}(?:test|property|feature) {1,4}"(?<name>[^"\n]{1,200})/gm,
      skips: /@(?:module|describe)?tag {0,4}(?::skip|skip: ?|:pending|:flaky)|^flunk\b/,
      asserts: /^(?:assert|refute)\w{0,40}\b/,
      mocks: /\b(?:with_mock|Mox\.stub|expect)\(?\s{1,4}(?<name>[A-Z][\w.]{1,80})(?<more>[^\n]{0,200})/g,
      blocks: null
    },
    native: {
      tests:
        /^\s{0,40}(?:TYPED_)?TEST(?:_F|_P)?\(\s{0,4}(?<mods>\w{1,100})\s{0,4},\s{0,4}(?<name>\w{1,200})|\b(?:TEST_CASE(?:_METHOD)?|SCENARIO|BOOST_AUTO_TEST_CASE|TEST_CASE_TEMPLATE)\(\s{0,4}"?(?<other>[^",)\n]{1,200})|\b(?:void|static void|int) {1,4}(?<third>test_?\w{1,200})\(|- \(void\) ?(?<fourth>test\w{1,200})/gm,
      skips:
        /\bGTEST_SKIP\(|\bDISABLED_|\[!(?:mayfail|shouldfail)|["']\[\.|\bdoctest::skip|\bTEST_IGNORE\w{0,10}\(|^#if 0$|\bQSKIP\(|\bSKIP\(|\bXCTSkip|^return;$/,
      asserts:
        /\b(?:EXPECT|ASSERT|CHECK|REQUIRE|TEST_ASSERT|BOOST_\w{1,20}|ck_assert|QCOMPARE|QVERIFY|CU_ASSERT|XCTAssert|cr_assert|cr_expect)\w{0,30}\s?\(|\bassert\w{0,20}\s?\(/,
      mocks: null,
      blocks: null
    },
    shell: {
      tests:
        /^\s{0,40}@test {1,4}["'](?<name>[^"'\n]{1,200})|^\s{0,40}(?:function {1,4})?(?<other>test_\w{1,100})\s?\(\)/gm,
      skips: /^skip(?: |$)|^return(?: 0)?$|^exit 0$/,
      asserts: /^(?:\[|test |assert\w{0,30}|refute\w{0,30}|grep -q|diff |cmp )/,
      mocks: null,
      blocks: null
    }
  }
}

const languages = lazy(make)

const endings: Readonly<Record<string, string>> = {
  javascript: "ts tsx mts cts js jsx mjs cjs vue svelte dart coffee",
  python: "py pyi ipynb",
  go: "go",
  rust: "rs",
  jvm: "java kt kts groovy scala",
  dotnet: "cs fs vb",
  ruby: "rb",
  php: "php",
  swift: "swift",
  elixir: "ex exs",
  native: "c h cc cpp cxx hpp hh m mm",
  shell: "bats sh bash"
}

const byEnding = lazy(
  () =>
    new Map(Object.entries(endings).flatMap(([name, all]) => all.split(" ").map((ending) => [ending, name] as const)))
)

/** The language of a file by its ending; null where no row has it. */
export const languageOf = (path: string): Language | null => {
  const name = byEnding().get(path.slice(path.lastIndexOf(".") + 1).toLowerCase())
  return name === undefined ? null : (languages()[name] ?? null)
}

/** What is written before a test's name to leave it out, or to run nothing else. */
export const leavesOut =
  /^x(?:it|test|specify|describe|context|suite|example|scenario|feature)\b|^[XP](?:It|Specify|Describe|Context|Entry)\b|\.(?:skip|todo|fixme|failing|fails|skipIf|runIf|ignore)\b|\bDISABLED_/

export const leavesOthersOut =
  /^f(?:it|test|specify|describe|context|example)\b|^F(?:It|Specify|Describe|Context|Entry)\b|\.only\b/
