import { describe, expect, test } from 'vitest';
import { mergeScouts } from '#core/playbooks/merge-entries.js';
import { readScout } from '#core/playbooks/scout-entries.js';
import { readPartition, schemaText, USUAL_SCHEMA } from '#core/playbooks/sweep-schema.js';
import { readSynthesis } from '#core/playbooks/synthesis.js';
import { checkedPercent, readJudgements, sampleOf, settleVerdicts } from '#core/playbooks/verification.js';
import { SWEEP_LIMITS } from '#kernel/limits/sweep.js';

const RUN = '20261123-caches-1f0c';
const entry = (id: string, more: object = {}) => ({
  id,
  title: `About ${id}`,
  source: `https://x.example/${id}`,
  claim: 'c',
  ...more,
});
const scout = (slice: string, entries: readonly unknown[], more: object = {}) =>
  readScout(slice, { data: { entries, ...more } }, USUAL_SCHEMA);

describe('slices', () => {
  const slices = (...owns: readonly (readonly string[])[]) =>
    owns.map((keys, index) => ({ name: `s${index}`, owns: keys }));
  const refusal = (data: unknown) => {
    try {
      return expect.unreachable(String(readPartition(data, 'slices.yaml')));
    } catch (error) {
      return error as { code: string; message: string };
    }
  };

  test('a key that two slices own is refused, whatever its case; so are two slices of one name', () => {
    expect(refusal({ slices: slices(['RFC'], ['books', ' rfc ']) })).toMatchObject({
      code: 'slices_overlap',
      message: 's0 and s1 both own " rfc ".',
    });
    expect(refusal({ slices: [...slices(['a'], ['b']), { name: 's1', owns: ['c'] }] }).code).toBe('slices_overlap');
    expect(readPartition({ slices: slices(['a'], ['b'], ['c'], ['d'], ['e']) }, 'f').warnings).toEqual([]);
    expect(readPartition({ slices: slices(['a'], ['b']) }, 'f').warnings).toHaveLength(1);
  });

  test.each([
    ['one slice', { slices: slices(['a']) }],
    ['too many', { slices: slices(...Array.from({ length: 13 }, (_, index) => [`k${index}`])) }],
    ['a slice without keys', { slices: slices(['a'], []) }],
    [
      'a name that leads elsewhere',
      {
        slices: [
          { name: '../x', owns: ['a'] },
          { name: 'b', owns: ['b'] },
        ],
      },
    ],
    ['a field nobody knows', { slices: slices(['a'], ['b']), exec: 'true' }],
    [
      'six required fields',
      { slices: slices(['a'], ['b']), schema: { required: ['id', 'title', 'source', 'a', 'b', 'c'] } },
    ],
    ['no source', { slices: slices(['a'], ['b']), schema: { required: ['id', 'title'] } }],
    ['nothing', null],
  ])('%s is refused', (_name, data) => {
    expect(refusal(data).code).toBe('bad_input');
  });

  test('the text of the schema has one root list, the required fields and the rules', () => {
    expect(schemaText(USUAL_SCHEMA)).toContain('root: entries\nrequired: [id, title, source, claim]\n');
    expect(schemaText(USUAL_SCHEMA)).toContain('Omit rather than invent');
  });
});

describe('what a scout hands in', () => {
  test('a bad entry is put aside with its reason and costs the others nothing', () => {
    const { entries, rejected } = scout('web', [
      entry('good', { claim: 12 }),
      { ...entry('x'), source: undefined },
      entry('Has Spaces'),
      entry('y', { exec: 'true' }),
      entry('z', { claim: ['a'] }),
      entry('w', { claim: ' \u200b'.trim() === '' ? '' : '  ' }),
      entry('v', { claim: 'a'.repeat(SWEEP_LIMITS.valueCharacters + 1) }),
      'text',
      null,
    ]);
    expect(entries.map(({ id, fields }) => [id, fields['claim']])).toEqual([['good', '12']]);
    expect(rejected.map(({ entry: at, reason }) => [at, reason])).toEqual([
      [2, 'source is not text'],
      [3, 'its id is not valid: Has Spaces'],
      [4, 'exec is not a field of the schema'],
      [5, 'claim is not text'],
      [6, 'claim is empty'],
      [7, 'claim has more than 2000 characters'],
      [8, 'it is not an entry with fields'],
      [9, 'it is not an entry with fields'],
    ]);
  });

  test.each([
    ['an unreadable file', { problem: 'line 3: aliases are not allowed' }, 'aliases'],
    ['a list without a root', { data: [] }, 'not a list called entries'],
    ['another root', { data: { findings: [] } }, 'findings beside'],
    ['no list', { data: { entries: 'many' } }, 'no list called entries'],
  ])('%s is one rejection', (_name, file, reason) => {
    const { entries, rejected } = readScout('web', file, USUAL_SCHEMA);
    expect([entries, rejected]).toEqual([[], [expect.objectContaining({ slice: 'web', entry: undefined })]]);
    expect(rejected[0]?.reason).toContain(reason);
  });

  test('more entries than are read are said to be left out; what is hidden or secret does not get through', () => {
    const many = scout(
      'web',
      Array.from({ length: SWEEP_LIMITS.scoutEntries + 2 }, (_, index) => entry(`e-${index}`)),
    );
    expect(many.entries).toHaveLength(SWEEP_LIMITS.scoutEntries);
    expect(many.rejected.at(-1)?.reason).toContain('2 entries beyond');
    const { entries } = scout('web', [entry('a', { claim: 'token=abcdefgh12345678 \u202ex' })]);
    expect(entries[0]?.fields['claim']).toBe('token=******** \\u{202e}x');
  });
});

describe('the merge', () => {
  test('one id, or one title and source, is one entry, and keeps where else it came from', () => {
    const merged = mergeScouts([
      scout('web', [entry('a'), entry('b'), entry('c')]),
      scout('books', [
        entry('a', { title: 'Other' }),
        entry('z', { title: ' ABOUT  B.', source: 'https://X.example/b' }),
        entry('d'),
      ]),
    ]);
    expect(
      merged.entries.map(({ id, provenance }) => [id, provenance.map(({ slice, id: own }) => `${slice}:${own}`)]),
    ).toEqual([
      ['a', ['web:a', 'books:a']],
      ['b', ['web:b', 'books:z']],
      ['c', ['web:c']],
      ['d', ['books:d']],
    ]);
    expect([...merged.duplicates]).toEqual([['books', 2]]);
    expect(merged.thin).toEqual([{ slice: 'books', entries: 1, kind: 'agent-thin', cause: 'not-said' }]);
  });

  test('a second look that says nothing does not unsay the reason of the first', () => {
    const looks = [scout('books', [entry('a')], { thin: 'source-exhausted' }), scout('books', [])];
    expect(mergeScouts(looks).thin).toMatchObject([{ kind: 'slice-thin', cause: 'source-exhausted' }]);
  });

  test('a slice is thin for the reason its scout gives, out of four', () => {
    const causes = ['source-exhausted', 'tool-denied', 'wrong-angle', 'because'];
    const { thin } = mergeScouts(
      causes.map((cause, index) => scout(`s${index}`, [entry(`e${index}`)], { thin: cause })),
    );
    expect(thin.map(({ kind, cause }) => `${kind} ${cause}`)).toEqual([
      'slice-thin source-exhausted',
      'agent-thin tool-denied',
      'agent-thin wrong-angle',
      'agent-thin not-said',
    ]);
  });
});

describe('the sample', () => {
  const entries = Array.from({ length: 60 }, (_, index) => ({ id: `e-${index}`, slice: `s${index % 6}` }));

  test('9 of 60 entries in 6 slices are checked, one a slice at least, the same for the same run', () => {
    const sample = sampleOf(entries, RUN, 15);
    expect(new Set(sample).size).toBe(9);
    expect(new Set(sample.map((id) => entries.find((one) => one.id === id)?.slice)).size).toBe(6);
    expect(sampleOf([...entries].reverse(), RUN, 15)).toEqual(sample);
    expect(sampleOf(entries, '20261123-caches-1f0d', 15)).not.toEqual(sample);
    expect(sampleOf(entries.slice(0, 20), RUN, 15)).toHaveLength(6);
    expect(sampleOf(entries.slice(0, 3), RUN, 15)).toHaveLength(3);
    expect(sampleOf(entries.filter(({ slice }) => slice === 's0').slice(0, 9), RUN, 15)).toHaveLength(5);
    expect(sampleOf([], RUN, 15)).toEqual([]);
    expect([10, 20].map(checkedPercent)).toEqual([10, 20]);
    for (const percent of [9, 21, 12.5, Number.NaN]) expect(() => checkedPercent(percent)).toThrowError('10 to 20');

    // One refuted entry: it goes, and all of its slice that nobody looked at is checked as well.
    const verdicts = sample.map((id, index) => ({ id, verdict: index === 2 ? 'REFUTED' : 'HOLDS', why: 'w' }));
    const judgements = readJudgements({ verdicts: [...verdicts, { id: 'e-other', verdict: 'REFUTED' }] }, sample);
    const { entries: left, refuted, inFull } = settleVerdicts(entries, judgements);
    const gone = sample[2] ?? '';
    const slice = entries.find(({ id }) => id === gone)?.slice ?? '';
    expect([left.length, left.includes(gone), refuted.map(({ id }) => id)]).toEqual([59, false, [gone]]);
    expect([...inFull.keys()]).toEqual([slice]);
    const all = entries.filter((one) => one.slice === slice).map(({ id }) => id);
    expect(inFull.get(slice)).toEqual(all.filter((id) => !sample.includes(id)));
  });

  test.each([
    ['an entry without a verdict', { verdicts: [{ id: 'a', verdict: 'HOLDS' }] }, 'without a verdict: b'],
    ['two verdicts', { verdicts: ['HOLDS', 'REFUTED'].map((verdict) => ({ id: 'a', verdict })) }, 'a has two verdicts'],
    ['another word', { verdicts: [{ id: 'a', verdict: 'holds, mostly' }] }, 'one of HOLDS'],
    ['no list', { verdict: 'HOLDS' }, 'no list'],
  ])('%s is not taken for checked', (_name, data, why) => {
    expect(() => readJudgements(data, ['a', 'b'])).toThrowError(why);
  });
});

test('a finding that cites no entry which is left is dropped', () => {
  const findings = [
    { text: 'Both', entries: ['a', 'b', 'a'] },
    { text: 'Refuted', entries: ['gone'] },
    { text: 'Half', entries: ['gone', 'b', 7] },
    { text: 'Nothing', entries: [] },
    { text: 'From memory' },
    'text',
  ];
  expect(readSynthesis({ findings }, new Set(['a', 'b']))).toEqual({
    findings: [
      { text: 'Both', entries: ['a', 'b'] },
      { text: 'Half', entries: ['b'] },
    ],
    dropped: 4,
  });
  expect(readSynthesis('nothing', new Set())).toEqual({ findings: [], dropped: 0 });
});

test('what a verifier says beside its word is kept as harmless text, trimmed and with a bound', () => {
  const judged = (why: unknown) => readJudgements({ verdicts: [{ id: 'a', verdict: 'HOLDS', why }] }, ['a'])[0]?.why;
  expect([judged('  fine\n'), judged(7)]).toEqual(['fine', '']);
  expect(judged('x\u001by')).not.toContain('\u001b');
  expect(judged('x'.repeat(2 * SWEEP_LIMITS.valueCharacters))?.length).toBeLessThanOrEqual(
    SWEEP_LIMITS.valueCharacters,
  );
});
