import { type Answer, MADE, ours, type Request, writing } from './script.js';

/** Files that a scripted model hands in, by name; seats of a panel and slices of a sweep have names of their own. */
const HANDED: readonly (readonly [RegExp, (name: string) => string])[] = [
  [/^PLAN\.md$/, () => `# Plan\n\nWrite ${MADE.name}.\n`],
  [/^CONTRACT\.md$/, () => `# Contract\n\n## Done-criteria\n\n- ${MADE.name} is there\n`],
  [/^CHANGES\.md$/, () => `# Changes\n\n${MADE.name} is new; tried with cat.\n`],
  [/^QA\.md$/, () => `# QA\n\n- [PASS] 1 ${MADE.name} is there — cat ${MADE.name} printed it\n`],
  [
    /^DEPLOY\.md$/,
    () => `# Deploy\n\n## Commands\n\n\`\`\`sh\ncp ${MADE.name} "$WG_PROJECT_ROOT/released.txt"\n\`\`\`\n`,
  ],
  [/^round-\d\//, () => '### Seat — SIGN-OFF\n- [low] a name → another'],
  [/^steelman\.md$/, () => 'It would have to be idle.'],
  [/^decision\.md$/, () => DECISION],
  [/^synthesis\.yaml$/, () => 'findings: [{ text: They fail, entries: [s1-1, s2-1] }]'],
  [/^scouts\/.*\.yaml$/, (name) => entriesOf(/([^/]+)\.yaml$/.exec(name)?.[1] ?? '')],
];

const DECISION =
  '## Decision\nDrop it.\n## Why\nIt blocks.\n## Minority view\nNone.\n## Unresolved tensions\nNone.\n## Moves\n- Bound it ← operator\n\nSteelman: ran, it is not idle, retained\n';

function entriesOf(slice: string): string {
  const entry = (number: number) =>
    `  - { id: ${slice}-${number}, title: ${slice} ${number}, source: 'https://${slice}.example/${number}', claim: it fails }`;
  return ['entries:', ...Array.from({ length: 10 }, (_, index) => entry(index + 1))].join('\n');
}

/** Takes the seat that the prompt describes: does its work, hands in each file by the named tool, and reports. */
export function takesSeat({ text, tools, answers }: Request): Answer {
  const list = [...text.matchAll(/run: ([\w.-]+)\\nnames:((?:\\n {2}- [^\\]+)+)/g)].at(-1);
  const [, run = '', rows = ''] = list ?? [];
  const names = rows.split('\\n  - ').filter((name) => name !== '');
  const steps: (() => Answer)[] = [];
  if (names.includes('CHANGES.md')) steps.push(() => writing(tools));
  const listed = names.find((name) => name.startsWith('verify/'));
  if (listed !== undefined) {
    const ids = listed === 'verify/sample.yaml' ? 'sample.yaml' : listed.replace('verify/', 'in-full-');
    steps.push(() => ours(text, tools, 'formation_read', { run, file: ids }));
  }
  for (const name of names) {
    const content = HANDED.find(([form]) => form.test(name))?.[1](name) ?? verdicts(text);
    steps.push(() => ours(text, tools, 'formation_hand_in', { name, content }));
  }
  steps.push(() => ours(text, tools, 'task_done', {}));
  return steps[answers]?.() ?? { kind: 'text', text: names.length === 0 ? 'I see no seat.' : 'It is handed in.' };
}

/** Refutes the first entry of the sample and confirms all others. */
function verdicts(text: string): string {
  const ids = [...new Set(text.slice(text.lastIndexOf('ids')).match(/\bs\d-\d+\b/g) ?? [])];
  const rows = ids.map(
    (id, at) => `  - { id: ${id}, verdict: ${at === 0 ? 'HOLDS-WITH-CUTS' : 'HOLDS'}, why: looked }`,
  );
  return ['verdicts:', ...rows].join('\n');
}

/** Submits a deliverable as a member of a team, or reviews one as its leader. */
export function worksForTeam({ text, tools, answers }: Request): Answer {
  const steps = text.includes('You review the work of your team')
    ? [() => ours(text, tools, 'task_review', { verdict: 'approve' })]
    : [() => writing(tools), () => ours(text, tools, 'task_submit', { title: 'The file', content: 'See made.txt.' })];
  return steps[answers]?.() ?? { kind: 'text', text: 'That is it.' };
}

/** Does half of the work and does not report, even when asked to. */
export function leavesHalf({ tools, answers, text }: Request): Answer {
  const isAsked = text.includes('You ended without a report');
  return answers === 0 && !isAsked
    ? writing(tools)
    : { kind: 'text', text: 'I could not finish: half of it is a stub.' };
}
