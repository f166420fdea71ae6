import { expect, test } from 'vitest';
import { hasContent, MalformedHandoff, parseHandoff, sectionOf } from '#core/playbooks/handoff-file.js';
import { checkDecision, readDecision } from '#core/playbooks/panel-decision.js';
import { ambiguousLine, criteriaStandings, passedCriteria } from '#core/playbooks/qa-verdicts.js';
import { TroupeError } from '#kernel/errors.js';

/** What is thrown, in words; the answer where nothing is. */
function said<Answer>(work: () => Answer): Answer | string {
  try {
    return work();
  } catch (error) {
    if (error instanceof TroupeError) return `${error.code}: ${error.message}`;
    if (error instanceof MalformedHandoff) return `malformed: ${error.message}`;
    throw error;
  }
}

test('a decision: its parts, its moves and whose they are, and what is missing', () => {
  const text = [
    '## Decision',
    ' Keep it. ',
    '## Why',
    'skeptic had no note.',
    '## Why',
    'again',
    '## Minority view',
    'none',
    '### Deeper',
    '## Unresolved tensions',
    'none',
    '## Moves',
    '- Keep the queue ← skeptic, Operator',
    '* Drop it <- nobody',
    '-  ← skeptic',
    'no move',
    '**Steelman**: ran, and retained.',
    'steelman: second',
  ].join('\n');
  const { sections, moves, steelman } = readDecision(text, ['operator', 'skeptic']);
  expect({ sections: [...sections], moves, steelman }).toMatchInlineSnapshot(`
    {
      "moves": [
        {
          "move": "Keep the queue",
          "seats": [
            "operator",
            "skeptic",
          ],
        },
        {
          "move": "Drop it",
          "seats": [],
        },
      ],
      "sections": [
        [
          "decision",
          "Keep it.",
        ],
        [
          "why",
          "skeptic had no note.",
        ],
        [
          "minority view",
          "none
    ### Deeper",
        ],
        [
          "unresolved tensions",
          "none",
        ],
        [
          "moves",
          "- Keep the queue ← skeptic, Operator
    * Drop it <- nobody
    -  ← skeptic
    no move
    **Steelman**: ran, and retained.
    steelman: second",
        ],
      ],
      "steelman": "ran, and retained.",
    }
  `);
  const state = { missing: [], unanimous: true, steelmanWritten: true, waived: undefined };
  const checked = (of: string, more: object = {}) =>
    said(() => checkDecision(readDecision(of, ['operator', 'skeptic', 'nobody']), { ...state, ...more }));
  expect([
    checked(text),
    checked(text, { unanimous: false }),
    checked(text, { waived: ' late ' }),
    checked(text, { steelmanWritten: false }),
    checked(text.replace('retained', 'forgotten')),
    checked(text.replace(/.*[Ss]teelman.*\n?/g, '')),
    checked(text, { missing: ['skeptic'], unanimous: false }),
    checked(text, { missing: ['economist'] }),
    checked(text.replace('← skeptic, Operator', '')),
    ...['Decision', 'Minority view', 'Unresolved tensions', 'Moves'].map((title) =>
      checked(text.replace(`## ${title}`, '## Other')),
    ),
    checked(text.replaceAll('## Why', '## Other')),
  ]).toMatchInlineSnapshot(`
    [
      "ran, and retained.",
      "n/a",
      "waived because late",
      "steelman_missing: All seats agree, and no case against it was made.",
      "steelman_missing: All seats agree, and the decision does not answer the strongest case against it.",
      "steelman_missing: All seats agree, and the decision does not answer the strongest case against it.",
      "n/a",
      "decision_incomplete: The decision of the panel: economist submitted no note, and the decision does not say so.",
      "decision_incomplete: The decision of the panel: the move "Keep the queue" does not name its source note.",
      "decision_incomplete: The decision of the panel: its section \`## Decision\` is missing or empty.",
      "decision_incomplete: The decision of the panel: its section \`## Minority view\` is missing or empty.",
      "decision_incomplete: The decision of the panel: its section \`## Unresolved tensions\` is missing or empty.",
      "decision_incomplete: The decision of the panel: its section \`## Moves\` is missing or empty.",
      "decision_incomplete: The decision of the panel: its section \`## Why\` is missing or empty.",
    ]
  `);
});

test('what a QA.md says of each criterion, as a list and as a table', () => {
  const contract = '## Done-criteria\n- 1. It starts\n- 2. It stops — at once\n- 3. It sings\n';
  const standings = (qa: string) =>
    [
      ...criteriaStandings(contract, qa).map(({ number, verdict, evidence }) =>
        `${number} ${verdict} ${evidence}`.trim(),
      ),
      passedCriteria(contract, qa) ?? '-',
    ].join(' | ');
  const rows = [
    '',
    '- [PASS] 1 It starts — log\n- [FAIL] 2 It stops — at once — hangs\n- [PASS] 3',
    '- [PASS] 1 — seen\n  and read\n- [PASS] #2. It stops — at once - yes\n- [PASS] 3: not tested',
    '1. [fail] 3\n- [PASS] 4 — x',
    '| # | Verdict | Evidence |\n| --- | --- | --- |\n| 1 | PASS | log |\n| 2 | **FAIL** | |\n| 3 | PASS | none |',
    '| Criterion | Verdict |\n|---|---|\n| 1 It starts | PASS |\n| 2 | PASS | seen |\n\n| PASS | 3 | It sings | heard |',
    '| 1 | shown in a log | PASS |\n| 2 It stops | PASS |\n| x | PASS |',
    '| PASS | PASS | FAIL |',
    '- [PASS] 1 — a\n- [PASS] 1 — none\n- [FAIL] 1 — b',
  ];
  expect(rows.map(standings)).toMatchInlineSnapshot(`
    [
      "1 OPEN | 2 OPEN | 3 OPEN | 0",
      "1 PASS log | 2 FAIL hangs | 3 UNPROVEN | 1",
      "1 PASS seen and read | 2 PASS yes | 3 UNPROVEN | 2",
      "1 OPEN | 2 OPEN | 3 FAIL | 0",
      "1 PASS log | 2 FAIL | 3 UNPROVEN | 1",
      "1 UNPROVEN | 2 PASS seen | 3 PASS heard | 2",
      "1 UNPROVEN | 2 UNPROVEN | 3 OPEN | 0",
      "1 OPEN | 2 OPEN | 3 OPEN | 0",
      "1 FAIL b | 2 OPEN | 3 OPEN | 0",
    ]
  `);
  expect([
    passedCriteria(undefined, ''),
    passedCriteria(contract, undefined),
    passedCriteria('---\nstatus: odd\n---\n', ''),
  ]).toEqual([...[undefined, undefined, undefined]]);
  const criteria = [{ number: 1, text: 'The  build failed  is shown' }] as never;
  const ambiguous = (qa: string) => ambiguousLine(criteria, qa) ?? '-';
  expect(
    [
      ...[
        'all is well',
        'it failed',
        '- [PASS] 1 — 12 passed, 0 failed',
        '12 passed, 0 failed',
        '| 1 | pass | 0 failed |',
      ],
      ...[
        '| 1 | bypass | 0 failed |',
        '- [PASS] 1 the build FAILED is shown — 0 failed',
        '- [PASS] 1 — 1 failed',
        'fine\nFAIL\nfailed',
      ],
    ].map(ambiguous),
  ).toMatchInlineSnapshot(`
    [
      "-",
      "it failed",
      "-",
      "12 passed, 0 failed",
      "-",
      "| 1 | bypass | 0 failed |",
      "-",
      "- [PASS] 1 — 1 failed",
      "FAIL",
    ]
  `);
});

test('the sections of a handoff end at the next heading of their rank, and have something to say or not', () => {
  const section = (text: string) =>
    said(() => sectionOf(parseHandoff(text).body, 'Why stuck')?.map((line) => line.text) ?? 'none');
  expect(
    [
      '## Why stuck',
      '## Why-Stuck :\na\n### b\nc\n## d\ne',
      '## Why stuck\na\n# d\ne',
      '## Why stuck\n# d\ne',
      '# Why stuck\na',
      '## Why stuck\na\n## why stuck\nb',
      'a',
    ].map(section),
  ).toMatchInlineSnapshot(`
    [
      [],
      [
        "a",
        "### b",
        "c",
      ],
      [
        "a",
      ],
      [],
      "none",
      "malformed: \`## Why stuck\` appears twice",
      "none",
    ]
  `);
  const says = (text: string) => hasContent(parseHandoff(text).body);
  expect(['', '## Title', '\n---', '<!-- x -->', '```sh\n```', '```\nx\n```', '- ', 'x', '7'].map(says)).toEqual([
    ...[false, false, false, false, false, true, false, true, true],
  ]);
  const handoff = (text: string) =>
    said(() => {
      const { status, phase, inputs, diagnosis } = parseHandoff(text);
      return [status, phase, [...inputs.keys()].join(), diagnosis].map((one) => one ?? '-').join(' ');
    });
  const hash = 'a'.repeat(64);
  expect(
    [
      '',
      'Status: BLOCKED',
      '- **status: blocked** - no',
      '# Status: Blocked.',
      'status: blocked by it',
      '---\nstatus: done\nphase: QA\n---\n',
      '---\nstatus: odd\n---\n',
      `---\ninputs: {./A.md: sha256:${hash}, "B.md": ${hash}}\n---\n`,
      `---\ninputs:\n  A.md: ${hash} # said\n  \n  B.md: ${hash.toUpperCase()}\n---\n`,
      `---\ninputs: {A.md: ${hash},\n  B.md: ${hash}}\n---\n`,
      `---\ninputs: {A.md: ${hash}, A.md: ${hash}}\n---\n`,
      '---\ninputs: {A.md: 7}\n---\n',
      `---\ninputs: [A.md: ${hash}]\n---\n`,
      '---\ndiagnosis: Ownership\n---\n',
      '* _Diagnosis_: Spec ',
      'diagnosis: two words',
      '```\ndiagnosis: spec\n```',
    ].map(handoff),
  ).toMatchInlineSnapshot(`
    [
      "DONE -  -",
      "BLOCKED -  -",
      "BLOCKED -  -",
      "BLOCKED -  -",
      "malformed: its status can be read in two ways: "status: blocked by it"",
      "DONE qa  -",
      "malformed: its status is neither DONE nor BLOCKED: "odd"",
      "DONE - A.md,B.md -",
      "DONE - A.md,B.md -",
      "DONE - A.md,B.md -",
      "malformed: its \`inputs\` name a file twice: "A.md"",
      "malformed: an entry of its \`inputs\` is not a file with its SHA-256: "A.md: 7"",
      "malformed: its \`inputs\` are not a list of files with their SHA-256",
      "DONE -  ownership",
      "DONE -  spec",
      "DONE -  -",
      "DONE -  -",
    ]
  `);
});
