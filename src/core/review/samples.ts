/** Places of tests and of what they are fed with. */
const TESTS =
  /(^|\/)(([\w.-]+[._-])?tests?|\w+tests|testsuite|__\w+__|spec|specs|e2e|cypress|regress(ion)?|[._-]?fixtures?|testdata|test-data|testing|mocks?|stubs?|benches|benchmarks?)\/|([._-](test|tests|spec|e2e|stories)\.[a-z]+|(^|\/)(test_[^/]+|conftest)\.py|Tests?\.(java|kt|cs|swift|php)|_test\.(go|exs|rb|py)|(^|\/)tests?\.\w+)$/i;
/** Places of what is made up to be shown. */
const SHOWN =
  /(^|\/)(examples?|samples?|demos?|playground|docs?|docs_src|documentation|website|stories|templates|snippets)\/|(^|[/._-])(examples?|samples?|template|test)([._-][^/]*)?$|\.(md|mdx|markdown|rst|adoc|txt|html?([.-]\w+)?)$/i;

/** Whether a file is a test, or data of one. */
export function isTest(file: string): boolean {
  return TESTS.test(file);
}

/** Parts of tests that are fed to what is tested: nobody left a note there for themselves. */
const FED =
  /(^|\/)(fixtures?|conf|testdata|test-data|__\w+__|snapshots?|samples?|corpus|goldens?|highlighted|source|data|cases|syntax-tests|[\w-]+-src)\//i;

/** Whether a file is data of a test, and no test itself. */
export function isTestData(file: string): boolean {
  return TESTS.test(file) && FED.test(file);
}

/** Whether a file is a test, an example or a document, or data of one. */
export function isSample(file: string): boolean {
  return TESTS.test(file) || SHOWN.test(file);
}

/** Folders of what others wrote and somebody copied here. */
const VENDORED =
  /(^|\/)(_?vendor(ed)?|third[-_]?party|3rd[-_]?party|compat|node_modules|bower_components|site-packages|Pods|Carthage|\.yarn)\//i;
/** Libraries that people copy as one file or one folder, wherever they put them. */
const COPIED_LIBRARY =
  /(^|\/)tests?\/([\w-]+\/)*(gtest|gmock|googletest|googlemock|catch2|doctest)\/|\/(docopt\.py|six\.py|doctest\.h|catch(_amalgamated)?\.hpp|sqlite3(ext)?\.[ch]|xxhash\.[ch]|stb_\w+\.h|miniz\.[ch]|jquery[\w.-]*\.js)$/i;
const LOCKFILE =
  /(^|\/)(package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|yarn\.lock|Cargo\.lock|poetry\.lock|uv\.lock|go\.sum|composer\.lock|Gemfile\.lock)$/;

/** Lockfiles, bundles, copies of other projects and the like change a lot, and nobody here writes them. */
export function isGeneratedPath(file: string): boolean {
  return (
    LOCKFILE.test(file) ||
    /\.(min\.(js|css)|map|snap|svg|lock)$/.test(file) ||
    /(^|\/)(dist|generated|__snapshots__)\//.test(file) ||
    VENDORED.test(file) ||
    COPIED_LIBRARY.test(file)
  );
}

/** So far into a file a generator says that it wrote it. */
const HEADER_CHARACTERS = 1_000;

/** Whether a file says in its first lines that a program wrote it: flex, bison, protoc and the like. */
export function isGeneratedText(text: string): boolean {
  return /^\W*(line \d+ "|.*(@generated\b|\bdo not edit\b|\bmade by GNU Bison\b)|((this|the following) (file|code) (is|was|has been) )?(code )?(auto(matically )?|auto-)?generated (by|from|with)\b)/im.test(
    text.slice(0, HEADER_CHARACTERS),
  );
}
