import path from 'node:path';
import { expect, test } from 'vitest';
import { blockedReport, parseHandoff } from '#core/playbooks/handoff-file.js';
import {
  blockedAt,
  changedHandoffs,
  type HandoffFile,
  type HandoffRecord,
  judgeDelivery,
  judgeHandoff,
  NO_RECORD,
  type PhaseVerdict,
} from '#core/playbooks/handoffs.js';
import { CREW_LINE, RELEASE } from '#core/playbooks/phases.js';
import { criteriaOf, criteriaStandings } from '#core/playbooks/qa-verdicts.js';
import { sha256 } from '#kernel/hash.js';
import { markdownLines } from '#kernel/markdown-lines.js';
import { processorMs } from '../../processor-time.js';
import { verifies } from '../../verifies.js';
import { BLOCKED, CHANGES, CONTRACT, QA, runFiles, written } from './run-files.js';

const codeOf = (verdict: PhaseVerdict) => (verdict.allowed ? 'allowed' : verdict.code);
const judged = (phase: string, changed: Parameters<typeof runFiles>[0], recorded: HandoffRecord = NO_RECORD) =>
  judgeHandoff(runFiles(changed), phase, recorded);

/** What somebody in a hurry, or somebody who wants to get by, puts into the folder; and what is said of it. */
const MISTAKES: readonly [string, string, Parameters<typeof runFiles>[0], string][] = [
  ['nothing was handed on', 'qa', { 'CHANGES.md': undefined }, 'handoff_missing'],
  ['an empty file', 'qa', { 'CHANGES.md': '' }, 'handoff_incomplete'],
  ['a byte order mark and nothing else', 'qa', { 'CHANGES.md': '\ufeff' }, 'handoff_incomplete'],
  ['blanks and headings', 'qa', { 'CHANGES.md': '# Changes\r\n\r\n  \r\n' }, 'handoff_incomplete'],
  ['a comment of the template', 'qa', { 'CHANGES.md': '<!-- what was\nchanged -->\n' }, 'handoff_incomplete'],
  ['front matter without a text', 'qa', { 'CHANGES.md': '---\nstatus: DONE\n---\n' }, 'handoff_incomplete'],
  ['front matter without an end', 'qa', { 'CHANGES.md': '---\nstatus: DONE\n\nDone.\n' }, 'handoff_malformed'],
  [
    'front matter that is all there is',
    'qa',
    { 'CHANGES.md': '---\nstatus: DONE\nnote: all of it\n' },
    'handoff_malformed',
  ],
  ['two statuses', 'qa', { 'CHANGES.md': '---\nstatus: DONE\nStatus: BLOCKED\n---\nx\n' }, 'handoff_malformed'],
  ['another status', 'qa', { 'CHANGES.md': '---\nstatus: FINE\n---\nx\n' }, 'handoff_malformed'],
  ['a status with an anchor', 'qa', { 'CHANGES.md': '---\nstatus: &a DONE\n---\nx\n' }, 'handoff_malformed'],
  ['a status with a tag', 'qa', { 'CHANGES.md': '---\nstatus: !!str DONE\n---\nx\n' }, 'handoff_malformed'],
  ['a status as a block', 'qa', { 'CHANGES.md': '---\nstatus: |\n  DONE\n---\nx\n' }, 'handoff_malformed'],
  ['a hash that is cut', 'qa', { 'CHANGES.md': '---\ninputs: {CONTRACT.md: abc}\n---\nx\n' }, 'handoff_malformed'],
  ['the file of another phase', 'qa', { 'CHANGES.md': '---\nphase: architect\n---\nx\n' }, 'handoff_malformed'],
  [
    'made from an older contract',
    'qa',
    { 'CHANGES.md': `---\ninputs: {CONTRACT.md: ${sha256('old')}}\n---\nx\n` },
    'handoff_stale',
  ],
  ['blocked, in front matter', 'qa', { 'CHANGES.md': `---\n${BLOCKED.replace('\n', '\n---\n')}` }, 'blocked_handoff'],
  ['blocked, by a line', 'qa', { 'CHANGES.md': BLOCKED }, 'blocked_handoff'],
  [
    'blocked, in another case',
    'qa',
    { 'CHANGES.md': BLOCKED.replace('status: BLOCKED', 'Status :  blocked') },
    'blocked_handoff',
  ],
  [
    'blocked, with CRLF and a mark',
    'qa',
    { 'CHANGES.md': `\ufeff${BLOCKED.replaceAll('\n', '\r\n')}` },
    'blocked_handoff',
  ],
  [
    'blocked, in bold and a list',
    'qa',
    { 'CHANGES.md': BLOCKED.replace('status: BLOCKED', '- **Status:** BLOCKED — no Bash') },
    'blocked_handoff',
  ],
  ['blocked, below the title', 'qa', { 'CHANGES.md': `# Changes\n\n${BLOCKED}` }, 'blocked_handoff'],
  ['blocked without a reason', 'qa', { 'CHANGES.md': 'status: BLOCKED\n' }, 'handoff_incomplete'],
  [
    'blocked with an empty section',
    'qa',
    { 'CHANGES.md': BLOCKED.replace('Bash.\n\n## Sugg', '-\n\n## Sugg') },
    'handoff_incomplete',
  ],
  [
    'blocked, sections in a fence',
    'qa',
    { 'CHANGES.md': BLOCKED.replace('## Tried', '```\n## Tried').concat('```\n') },
    'handoff_incomplete',
  ],
  ['blocked, a section twice', 'qa', { 'CHANGES.md': `${BLOCKED}\n## Tried\n\nMore.\n` }, 'handoff_malformed'],
  [
    'blocked with a diagnosis of its own',
    'qa',
    { 'CHANGES.md': BLOCKED.replace('\n', '\ndiagnosis: tired\n') },
    'handoff_incomplete',
  ],
  ['the contract is blocked, later files lie there', 'deployer', { 'CONTRACT.md': BLOCKED }, 'blocked_handoff'],
  ['an empty QA.md', 'deployer', { 'QA.md': '' }, 'handoff_incomplete'],
  ['words about failures', 'deployer', { 'QA.md': `0 FAILED, no FAIL.\n\n${QA}` }, 'qa_not_passed'],
  [
    'a table with PASS and FAIL as its head',
    'deployer',
    { 'QA.md': `| PASS | FAIL |\n|---|---|\n| 2 | 0 |\n\n${QA}` },
    'qa_not_passed',
  ],
  ['no QA.md', 'deployer', { 'QA.md': undefined }, 'handoff_missing'],
  ['PASS in prose', 'deployer', { 'QA.md': 'Everything is a PASS. 1 PASS, 2 PASS.\n' }, 'qa_not_passed'],
  ['a failed criterion', 'deployer', { 'QA.md': QA.replace('[PASS] 2', '[FAIL] 2') }, 'qa_not_passed'],
  ['a failure in another case', 'deployer', { 'QA.md': QA.replace('- [PASS] 2', '  * [ Fail ] 2') }, 'qa_not_passed'],
  [
    'PASS and FAIL of one criterion',
    'deployer',
    { 'QA.md': `${QA}- [FAIL] 1 rows leave as CSV — not on Windows\n` },
    'qa_not_passed',
  ],
  ['a failure without a number', 'deployer', { 'QA.md': `${QA}- [FAIL] it is slow\n` }, 'qa_not_passed'],
  ['a failure of no criterion', 'deployer', { 'QA.md': `${QA}- [FAIL] 7 it is slow — 3 s\n` }, 'qa_not_passed'],
  ['a failure in a table', 'deployer', { 'QA.md': `${QA}\n| 2 | the head | **FAIL** | none |\n` }, 'qa_not_passed'],
  ['a criterion left out', 'deployer', { 'QA.md': QA.split('- [PASS] 2')[0] ?? '' }, 'qa_not_passed'],
  ['ten for one', 'deployer', { 'QA.md': QA.replace('[PASS] 1', '[PASS] 10') }, 'qa_not_passed'],
  ['a range', 'deployer', { 'QA.md': '- [PASS] 1–2 all good — npm test\n' }, 'qa_not_passed'],
  ['verdicts in a fence', 'deployer', { 'QA.md': `The form:\n\n~~~\n${QA}~~~\n` }, 'qa_not_passed'],
  ['verdicts in a comment', 'deployer', { 'QA.md': `Judged.\n\n<!--\n${QA}-->\n` }, 'qa_not_passed'],
  ['verdicts that are quoted', 'deployer', { 'QA.md': QA.replaceAll('- [', '> - [') }, 'qa_not_passed'],
  ['a verdict struck out', 'deployer', { 'QA.md': QA.replace('[PASS] 2 the', '~~[PASS] 2 the~~') }, 'qa_not_passed'],
  ['no evidence', 'deployer', { 'QA.md': QA.replace(' — npm test, 12 passed', '') }, 'qa_not_passed'],
  ['a dash and nothing behind it', 'deployer', { 'QA.md': QA.replace('npm test, 12 passed', '…') }, 'qa_not_passed'],
  [
    'a dash of the criterion as evidence',
    'deployer',
    { 'QA.md': QA.replace(' — seen in out.csv', '') },
    'qa_not_passed',
  ],
  [
    'no evidence in a table',
    'deployer',
    { 'QA.md': '| 1 | rows leave as CSV | PASS | |\n| 2 | the head names the columns — in order | PASS |\n' },
    'qa_not_passed',
  ],
  [
    'an empty column of evidence',
    'deployer',
    { 'QA.md': '| # | Evidence | Verdict | Note |\n|---|---|---|---|\n| 1 | | PASS | x |\n| 2 | | PASS | x |\n' },
    'qa_not_passed',
  ],
  [
    'PASS as a part of a cell',
    'deployer',
    { 'QA.md': '| 1 | rows | PASSED | x |\n| 2 | head | PASS? | x |\n' },
    'qa_not_passed',
  ],
  ['a contract without criteria', 'deployer', { 'CONTRACT.md': '# Contract\n\nAll of it.\n' }, 'handoff_incomplete'],
  ['criteria in a fence', 'deployer', { 'CONTRACT.md': `\`\`\`\n${CONTRACT}\`\`\`\n` }, 'handoff_incomplete'],
  ['criteria twice', 'deployer', { 'CONTRACT.md': `${CONTRACT}\n## Done criteria\n\n- less\n` }, 'handoff_malformed'],
  ['no contract', 'deployer', { 'CONTRACT.md': undefined }, 'handoff_missing'],
  ['no changes', 'deployer', { 'CHANGES.md': undefined }, 'handoff_missing'],
  ['changes that are newer', 'deployer', { 'CHANGES.md': written(CHANGES, 1_001) }, 'handoff_stale'],
  [
    'another hash of the changes',
    'deployer',
    { 'QA.md': `---\ninputs:\n  CHANGES.md: ${sha256('old')}\n---\n${QA}` },
    'handoff_stale',
  ],
  [
    'another hash of the contract',
    'deployer',
    { 'QA.md': `---\ninputs: {"CONTRACT.md": '${sha256('old')}'}\n---\n${QA}` },
    'handoff_stale',
  ],
  ['nothing to deploy', RELEASE, { 'DEPLOY.md': undefined }, 'handoff_missing'],
  ['failed, and deployed all the same', RELEASE, { 'QA.md': QA.replace('[PASS] 2', '[FAIL] 2') }, 'qa_not_passed'],
  ['a folder in the place of a file', 'qa', { 'CHANGES.md': { problem: 'is a link, a folder' } }, 'handoff_unreadable'],
  ['a link further up', 'deployer', { 'CONTRACT.md': { problem: 'is a link' } }, 'handoff_unreadable'],
];

verifies(['crew.handoff.format', 'crew.qa.format'], 'every way to hand on what does not count is refused', () => {
  expect(codeOf(judged(RELEASE, {}))).toBe('allowed'); // the same files without a mistake
  const said = MISTAKES.map(([title, phase, files]) => `${title}: ${codeOf(judged(phase, files))}`);
  expect(said).toEqual(MISTAKES.map(([title, , , code]) => `${title}: ${code}`));
});

test('what is missing, and what to do, is said of every such way', async () => {
  const said = MISTAKES.map(([title, phase, files]) => {
    const { code: _, report, ...denial } = { report: undefined, code: '', ...judged(phase, files) };
    return `${title}\n  ${Object.values(denial).slice(1).join(' | ')}${report === undefined ? '' : ` ${JSON.stringify(report)}`}`;
  });
  await expect(`${said.join('\n')}\n`).toMatchFileSnapshot(path.join(import.meta.dirname, 'golden/denials.txt'));
});

/** What only looks like one of those. */
const FINE: readonly [string, string, Parameters<typeof runFiles>[0]][] = [
  ['a quoted BLOCKED', 'qa', { 'CHANGES.md': `${CHANGES}\n\`\`\`\nstatus: BLOCKED\n\`\`\`\n` }],
  ['BLOCKED in prose', 'qa', { 'CHANGES.md': 'The status: BLOCKED of yesterday is gone.\n> status: BLOCKED\n' }],
  ['BLOCKED further down', 'qa', { 'CHANGES.md': `${'line\n'.repeat(20)}status: BLOCKED\n` }],
  [
    'front matter that says DONE',
    'qa',
    { 'CHANGES.md': `---\nstatus: "done" # at last\nphase: Dev\nauthor:\n  status: BLOCKED\n---\nstatus: BLOCKED\n` },
  ],
  [
    'a table',
    'deployer',
    {
      'QA.md':
        '| # | Criterion | Verdict | Evidence |\n|:-:|---|---|---|\n| 1 | rows | PASS | `a \\| b` |\r\n| 2. | head | **pass** | seen |\n',
    },
  ],
  [
    'a table with the verdict last',
    'deployer',
    { 'QA.md': '| 1 | rows | npm test | PASS |\n| 2 | head | seen | PASS |\n' },
  ],
  [
    'evidence on the next line',
    'deployer',
    { 'QA.md': QA.replace(' — npm test', '\n  — npm test').replaceAll('\n', '\r\n') },
  ],
  [
    'the hash of today',
    'deployer',
    {
      'CHANGES.md': written(CHANGES, 9_000),
      'QA.md': `---\ninputs:\n  "./CHANGES.md": sha256:${sha256(CHANGES).toUpperCase()}\n  src/a.ts: ${sha256('any')}\n---\n${QA}`,
    },
  ],
  ['a new owner, who is in no line', 'debugger', { 'CHANGES.md': BLOCKED, 'CONTRACT.md': BLOCKED }],
  ['the same role again', 'dev', { 'CHANGES.md': BLOCKED }],
  ['the architect', 'architect', { 'CONTRACT.md': BLOCKED, 'CHANGES.md': { problem: 'is a link' } }],
];

verifies(['crew.handoff.format', 'crew.qa.format'], 'what only looks wrong is let through', () => {
  const said = FINE.map(([title, phase, files]) => `${title}: ${codeOf(judged(phase, files))}`);
  expect(said).toEqual(FINE.map(([title]) => `${title}: allowed`));
});

verifies('crew.qa.format', 'what was written down at the hand-in goes before the times of files', () => {
  const record = (changes: string) => ({ ...NO_RECORD, judged: new Map([[sha256(QA), sha256(changes)]]) });
  const newer: Record<string, HandoffFile> = { 'CHANGES.md': written(CHANGES, 9_000) };
  expect(codeOf(judged('deployer', newer, record(CHANGES)))).toBe('allowed');
  expect(judged('deployer', {}, record('other'))).toMatchObject({ missing: 'QA.md judged an older CHANGES.md' });
});

test('another line asks for its own files, and qa that was cut is not missed', () => {
  const [architect, dev, qa, deployer] = CREW_LINE;
  if (!architect || !dev || !qa || !deployer) throw new Error('four phases');
  const judge = (line: HandoffRecord['line'], changed: Parameters<typeof runFiles>[0]) =>
    codeOf(judged('deployer', changed, { ...NO_RECORD, line }));
  expect(judge([architect, dev, deployer], { 'QA.md': undefined })).toBe('allowed');
  const skeptic = { name: 'skeptic', file: 'SKEPTIC.md' };
  const line = [architect, dev, qa, skeptic, deployer];
  expect(judge(line, {})).toBe('handoff_missing');
  expect(judge(line, { 'SKEPTIC.md': 'It holds.\n' })).toBe('allowed');
  expect(judge(line, { 'SKEPTIC.md': 'It holds.\n', 'QA.md': 'PASS\n' })).toBe('qa_not_passed');
});

verifies(
  'crew.blocked.schema',
  'a BLOCKED handoff says what the ladder has to know, and nothing that is left out',
  () => {
    const files = runFiles({ 'CHANGES.md': BLOCKED.replace('\n', '\nDiagnosis: Ownership\n') });
    const verdict = judgeHandoff(files, 'qa', NO_RECORD);
    const report = {
      tried: 'Two ways.',
      why: 'Bash is denied.',
      needs: 'Bash.',
      escalation: 'owner of Bash',
      diagnosis: 'ownership',
    };
    expect(verdict).toMatchObject({ code: 'blocked_handoff', file: 'CHANGES.md', report });
    expect(blockedAt(files, { name: 'dev', file: 'CHANGES.md' })).toEqual(report);
    expect(blockedAt(files, { name: 'architect', file: 'CONTRACT.md' })).toBeUndefined();
    expect(blockedReport(parseHandoff('status: BLOCKED\n\n## Needs\n\nBash\n'))).toEqual({
      lacks: ['`## Tried`', '`## Why stuck`', '`## Suggested escalation`'],
    });
  },
);

test('criteria have the numbers that are written there, or their places', () => {
  const numbers = (section: string) =>
    criteriaOf(markdownLines(`## Done criteria:\n${section}\n## Next\n\n- no\n`)).map(
      ({ number, text }) => `${number} ${text}`,
    );
  expect(numbers('1. a\n   - detail\n2. b')).toEqual(['1 a', '2 b']);
  expect(numbers('1. a\n1. b')).toEqual(['1 a', '2 b']);
  expect(numbers('- [ ] 1) a\n- [x] 4) b')).toEqual(['1 a', '4 b']);
  expect(numbers('- 1 a\n\t- detail\n- 2 b')).toEqual(['1 a', '2 b']);
  expect(numbers('- 3 tries are made\n- 5 are too many')).toEqual(['1 3 tries are made', '2 5 are too many']);
  expect(numbers('### Good\n* a\n### Fast\n* b\n```\n* c\n```')).toEqual(['1 a', '2 b']);
});

test('each criterion stands with its verdict and its evidence; what passes without one is unproven, and one FAIL is enough', () => {
  const contract = '## Done-criteria\n\n- Exports CSV\n- Keeps the old format\n- Is documented\n- Is fast\n';
  const qa = [
    '- [PASS] 1 Exports CSV — npm test, 12 Passed',
    '- [PASS] 2 Keeps the old format',
    '| # | Verdict | Evidence |',
    '| - | - | - |',
    '| 3 | PASS | docs/csv.md |',
    '| 3 | FAIL | the page is empty |',
  ].join('\n');
  expect(criteriaStandings(contract, qa)).toEqual([
    { number: 1, text: 'Exports CSV', verdict: 'PASS', evidence: 'npm test, 12 Passed' },
    { number: 2, text: 'Keeps the old format', verdict: 'UNPROVEN', evidence: '' },
    { number: 3, text: 'Is documented', verdict: 'FAIL', evidence: 'the page is empty' },
    { number: 4, text: 'Is fast', verdict: 'OPEN', evidence: '' },
  ]);
  expect(criteriaStandings(contract, undefined).map(({ verdict }) => verdict)).toEqual([
    'OPEN',
    'OPEN',
    'OPEN',
    'OPEN',
  ]);
  expect(criteriaStandings('---\nunfinished', qa)).toEqual([]);
});

test('a file made to be slow is judged in time that grows with its size and with nothing else', () => {
  const size = 64 * 1024;
  const hostile = [
    '- [PASS] 1 ',
    '<!-- ',
    '`````',
    '| ',
    ' '.repeat(99),
    '## ',
    '*_',
    '---\n',
    'inputs: {',
    '\r',
    '\n  a',
  ];
  const judging = () => {
    for (const piece of hostile) {
      const text = piece.repeat(size / piece.length);
      expect(judged('deployer', { 'QA.md': `${text}\n`, 'CONTRACT.md': `${CONTRACT}${text}` }).allowed).toBe(false);
    }
  };
  expect(processorMs(judging)).toBeLessThan(5_000);
});

verifies('gate.pinned', 'what a phase handed over and was accepted is changed by nobody but that phase', () => {
  const line = [...CREW_LINE.slice(0, 1), { name: 'design', file: 'DESIGN.md' }, ...CREW_LINE.slice(1)];
  const texts = { 'PLAN.md': '# Plan\n\nFirst this.\n', 'DESIGN.md': '# Design\n\nBlue.\n' };
  const pins = new Map([...runFiles(texts)].flatMap(([name, file]) => ('sha256' in file ? [[name, file.sha256]] : [])));
  const recorded: HandoffRecord = { ...NO_RECORD, line, accepted: pins };
  for (const phase of [...line.map(({ name }) => name), RELEASE])
    expect(codeOf(judged(phase, texts, recorded)), phase).toBe('allowed');
  const weaker = '# Contract\n\n## Done-criteria\n\n- a file exists\n';
  for (const [file, text] of [
    ['CONTRACT.md', weaker],
    ['PLAN.md', '# Plan\n\nLess.\n'],
    ['DESIGN.md', '# Design\n\nRed.\n'],
  ] as const) {
    const changed = { ...texts, [file]: text };
    for (const phase of ['dev', 'qa', 'deployer', RELEASE]) {
      expect(judged(phase, changed, recorded), `${phase} after another ${file}`).toMatchObject({
        code: 'handoff_changed',
        phase: file === 'DESIGN.md' ? 'design' : 'architect',
        file,
      });
      expect(codeOf(judged(phase, { ...changed, [file]: undefined }, recorded))).toBe('handoff_missing');
    }
    // Whoever changed it meets its own gate already; its own phase may write it again.
    expect(codeOf(judgeDelivery(runFiles(changed), 'dev', recorded))).toBe('handoff_changed');
    expect(codeOf(judgeDelivery(runFiles(changed), 'qa', recorded))).toBe('handoff_changed');
    expect(codeOf(judgeDelivery(runFiles({ ...texts, 'CONTRACT.md': weaker }), 'architect', recorded))).toBe('allowed');
  }
  expect(codeOf(judgeDelivery(runFiles({ ...texts, 'QA.md': `${QA}\nMore.\n` }), 'qa', recorded))).toBe('allowed');
  const unreadable = new Map([...runFiles(texts), ['PLAN.md', { problem: 'is a link' }] as const]);
  expect(changedHandoffs(unreadable, line, pins)).toEqual([{ phase: 'architect', file: 'PLAN.md', gone: false }]);
});

verifies('gate.pinned', 'a handoff that names the plan it was made from does not go with another plan', () => {
  const plan = '# Plan\n\nFirst this.\n';
  const made = (hash: string) => ({ 'PLAN.md': plan, 'CHANGES.md': `---\ninputs: {PLAN.md: ${hash}}\n---\nDone.\n` });
  expect(codeOf(judged('qa', made(sha256(plan))))).toBe('allowed');
  expect(judged('qa', made(sha256('an older plan')))).toMatchObject({ code: 'handoff_stale', file: 'CHANGES.md' });
});

verifies(
  'gate.words',
  'a line that speaks of failure and is no verdict refuses the file, however it is written, and is quoted',
  () => {
    const lines = [
      '- [FAILED] 2 the head — missing',
      '- FAIL 2 the head — missing',
      '- ❌ 2 the head — missing',
      '- [F\u0410IL] 2 the head — missing',
      '- [\uff26\uff21\uff29\uff2c] 2 the head — missing',
      '- [\ua4dd\ua4ee\ua4f2\ua4e1] 2 the head — missing',
      '- [FA\u200bIL] 2 the head — missing',
      '- [F\u0336A\u0336I\u0336L\u0336] 2 the head — missing',
      '- [FA1L] 2 the head — missing',
      '- FA**IL** 2 the head — missing',
      '- F A I L 2 the head — missing',
      '```\n- [FAIL] 2 the head — missing\n```',
      '<!-- FAIL -->',
      '# Verdict: FAIL',
      '| 2 | the head | FAIL! |',
      '> failed in out.csv',
      'Status: BLOCKED by the missing key',
      'Status: 🛑',
      'It is b\u04cfocked.',
      'No test failed.',
    ];
    for (const line of lines) {
      const verdict = judged('deployer', { 'QA.md': `${QA}${line}\n` });
      expect(verdict, line).toMatchObject({ allowed: false, file: 'QA.md' });
    }
    expect(judged('deployer', { 'QA.md': `${QA}\n- FAIL 2 the head — missing\n` })).toMatchObject({
      code: 'qa_not_passed',
      missing: expect.stringContaining('- FAIL 2 the head — missing'),
    });
    // What a failed file says besides is not asked.
    expect(judged('deployer', { 'QA.md': QA.replace('[PASS] 2', '[FAIL] 2').concat('It failed.\n') })).toMatchObject({
      missing: 'QA.md says FAIL of criterion 2',
    });
  },
);

verifies(
  'gate.words',
  'words of a criterion, counts of a test runner and words that only look alike are no failure',
  () => {
    const contract = '## Done-criteria\n\n- 1 a failed login is blocked\n- 2 leaves may fall\n';
    const qa =
      '- [PASS] 1 a failed login is blocked — npm test: 12 passed, 0 failed\n- [PASS] 2 leaves may fall — Fall and FALL tried\n';
    const files = (text: string) => ({ 'CONTRACT.md': contract, 'QA.md': text });
    expect(codeOf(judged('deployer', files(qa)))).toBe('allowed');
    expect(codeOf(judged('deployer', files(qa.replace('0 failed', '1 failed'))))).toBe('qa_not_passed');
    expect(codeOf(judged('deployer', files(`${qa}a failed login is blocked, and failed again\n`)))).toBe(
      'qa_not_passed',
    );
  },
);

verifies('gate.words', 'that nothing was tested is no evidence', () => {
  for (const evidence of [
    'not tested',
    '**Not tested** yet',
    'TODO',
    'to do',
    'none',
    'None.',
    'skipped',
    'Skipped: no browser',
    'n/a',
    'N/A (no screen)',
    't\u043edo',
    'tbd',
    'not run',
    'untested',
    'pending',
  ])
    expect(judged('deployer', { 'QA.md': QA.replace('npm test, 12 passed', evidence) }), evidence).toMatchObject({
      missing: 'QA.md gives no evidence for criterion 1',
    });
  for (const evidence of ['none of the 12 rows is missing', 'nothing is left in out.csv', 'no row is missing', 'seen'])
    expect(codeOf(judged('deployer', { 'QA.md': QA.replace('npm test, 12 passed', evidence) })), evidence).toBe(
      'allowed',
    );
});

verifies('gate.words', 'a status that can be read in two ways is none', () => {
  for (const line of [
    'Status: BLOCKED by the missing key',
    'Status: 🛑 BLOCKED',
    'status: BL\u041eCKED',
    '**Status**: not blocked any more',
  ])
    expect(codeOf(judged('qa', { 'CHANGES.md': `${line}\n\nDone.\n` })), line).toBe('handoff_malformed');
  expect(codeOf(judged('qa', { 'CHANGES.md': 'Status: done\n\nA failed login is blocked now.\n' }))).toBe('allowed');
});

test('a crew without a developer needs no changes for its tester to have judged', () => {
  const line = CREW_LINE.filter(({ name }) => name !== 'dev');
  const files = { 'CHANGES.md': undefined };
  expect(codeOf(judged('deployer', files, { ...NO_RECORD, line }))).toBe('allowed');
  expect(codeOf(judged('deployer', files))).toBe('handoff_missing');
});
