import type { Content } from '#core/catalog/signal-vocabulary.js';
import { compareText } from '#kernel/order.js';
import { languageOf } from './file-classification.js';

/** Minimum share of a kind of content; less is insignificant for the choice of roles. */
const LEAST_SHARE = 0.2;
/** Text must outweigh everything else by this factor, because documentation of a program is not a book. */
const TEXT_OUTWEIGHS = 2;

const EXTENSIONS: readonly (readonly [Content, RegExp])[] = [
  ['notebooks', /\.(?:ipynb|rmd)$/i],
  ['pipelines', /\.(?:sql|nf|smk)$/i],
  ['infrastructure', /\.(?:tf|tfvars|hcl|bicep|nomad)$/i],
  ['text', /\.(?:mdx?|markdown|rst|adoc|asciidoc|tex|qmd|org)$/i],
];
/** File names that determine the content in any folder. */
const NAMES: readonly (readonly [Content, RegExp])[] = [
  ['pipelines', /^(?:dbt_project\.yml|dvc\.yaml|Snakefile)$/],
  ['prompts', /^promptfooconfig\.ya?ml$|\.prompt(?:y|\.md)?$/],
  [
    'infrastructure',
    /^(?:Dockerfile.*|(?:docker-)?compose.*\.ya?ml|Chart\.yaml|kustomization\.ya?ml|ansible\.cfg|Pulumi\.yaml)$/,
  ],
];
/** Folders whose files count as this content if their extension matches. */
const FOLDERS: readonly (readonly [Content, RegExp, RegExp])[] = [
  [
    'prompts',
    /(?:^|[/_-])(?:prompts?|prompt_\w+|evals?|evaluations?)\//i,
    /\.(?:md|txt|ya?ml|jsonl?|csv|j2|jinja2?)$/i,
  ],
  ['pipelines', /(?:^|\/)dags\//, /\.(?:py|ya?ml)$/],
  [
    'infrastructure',
    /(?:^|\/)(?:playbooks|roles|tasks|handlers|charts|kustomize|k8s|kubernetes|helm|ansible|terraform|infra(?:structure)?|clusters|manifests|overlays|base)\//,
    /\.(?:ya?ml|tpl|j2)$/,
  ],
];
/** Files that every repository has, regardless of its content. */
const COMMON =
  /^(?:README|CHANGELOG|CHANGES|HISTORY|LICEN[SC]E|CONTRIBUTING|CODE_OF_CONDUCT|SECURITY|AGENTS|CLAUDE)\b/i;

/** The kind of content of a file; undefined if it indicates none. `relative` is separated by `/`. */
export function contentOf(relative: string, name: string): Content | undefined {
  if (relative.startsWith('.') || COMMON.test(name)) return undefined;
  const matching = <Row extends readonly [Content, RegExp, ...RegExp[]]>(rows: readonly Row[], text: string) =>
    rows.find(([, pattern, form]) => pattern.test(text) && (form?.test(name) ?? true))?.[0];
  return (
    matching(NAMES, name) ??
    matching(FOLDERS, relative) ??
    (languageOf(name) === undefined ? matching(EXTENSIONS, name) : 'code')
  );
}

/** Significant kinds of content, largest first; text only where it outweighs everything else. */
export function contentsByShare(sizes: ReadonlyMap<Content, number>): Content[] {
  const others = [...sizes].reduce((sum, [content, size]) => (content === 'text' ? sum : sum + size), 0);
  const counted = [...sizes].filter(([content, size]) => content !== 'text' || size > TEXT_OUTWEIGHS * others);
  const whole = counted.reduce((sum, [, size]) => sum + size, 0);
  return counted
    .filter(([, size]) => size >= whole * LEAST_SHARE)
    .sort(([left, many], [right, more]) => more - many || compareText(left, right))
    .map(([content]) => content);
}

/** Whether a file at the top configures a static site generator. */
export function isSiteGenerator(relative: string): boolean {
  return /^(?:_config\.yml|hugo\.(?:toml|ya?ml)|(?:docusaurus|astro|gatsby-|eleventy\.|\.eleventy)\.?(?:config)?\.(?:[cm]?[jt]s))$/.test(
    relative,
  );
}
