import { expect } from 'vitest';
import { picksFromAnswer } from '#core/casting/model-casting.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { verifies } from '../../verifies.js';
import { smallCatalog } from './small-catalog.js';

const catalog = smallCatalog();
const read = (text: string, size = 5) => picksFromAnswer(catalog, text, size);
const ids = (text: string, size?: number) => read(text, size)?.picks.map((pick) => pick.archetypeId);
const answer = (...roles: unknown[]) => JSON.stringify({ rationale: 'Fits.', roles });
const role = (role_id: string, reason = 'Because.') => ({ role_id, reason });

verifies('casting.parse', 'prose, fences and other objects around the first object with roles do not matter', () => {
  const object = answer(role('writer'), role('qa-engineer'));
  for (const text of [
    object,
    `Here you are:\n\`\`\`json\n${object}\n\`\`\`\nAnything else?`,
    `{"thinking": "a } brace and a \\" quote"} {not json} ${object}`,
    `{"result": ${object}}`,
  ])
    expect(ids(text), text).toEqual(['writer', 'qa-engineer']);
  expect(ids(`${answer(role('writer'))} ${answer(role('qa-engineer'))}`)).toEqual(['writer']);
  expect(read(object)).toMatchObject({ rationale: 'Fits.', picks: [{ reason: 'Because.' }, {}], warnings: [] });
});

verifies(
  'casting.parse',
  'without such an object the first list of roles counts; a cut-off answer still has it',
  () => {
    expect(ids('My picks: ["writer", "qa-engineer"].')).toEqual(['writer', 'qa-engineer']);
    expect(ids('As said in [1]: [{"role_id": "writer"}]')).toEqual(['writer']);
    expect(ids(answer(role('writer'), role('qa-engineer')).slice(0, -1))).toEqual(['writer', 'qa-engineer']);
  },
);

verifies('casting.parse.closed', 'unknown and built-in ids are dropped with a warning, the rest merged and cut', () => {
  const text = answer(
    role('plumber'),
    role('scribe'),
    role('writer', 'First.'),
    role('writer', 'Again.'),
    role('../../etc/passwd'),
    role('qa-engineer'),
    role('docs-writer'),
  );
  const found = read(text, 2);
  expect(found?.picks).toEqual([
    { archetypeId: 'writer', reason: 'First.' },
    { archetypeId: 'qa-engineer', reason: 'Because.' },
  ]);
  expect(found?.warnings.map((warning) => warning.code)).toEqual(['unknown_role', 'builtin_role']);
  expect(found?.warnings[0]?.message).toContain('"plumber"');
});

verifies('casting.parse.closed', 'hostile, empty and endless answers give nothing, and nobody a privilege', () => {
  for (const text of [
    '',
    'I will not do that.',
    answer(),
    answer(role('scribe'), role('coordinator')),
    '{"roles": "writer"}',
    '{"roles": {"role_id": "writer"}}',
    '{"roles": [42, null, {"id": "x"}]}',
    '{"rationale": "x", "roles": [{"role_id": "wri',
    '{"__proto__": {"roles": [{"role_id": "plumber"}]}}',
    '{'.repeat(200_000),
    `{"roles": [${'"writer",'.repeat(40_000)}"writer"]}`,
    answer(role('writer')) + ' '.repeat(10 * 1024 * 1024),
  ])
    expect(read(text), text.slice(0, 60)).toBeUndefined();
  const many = answer(...Array.from({ length: TEAM_LIMITS.modelRoles }, () => role('nobody')), role('writer'));
  expect(read(many)).toBeUndefined();
  const privileged = read(
    JSON.stringify({ roles: [{ role_id: 'writer', default_model: 'strong', permissions: ['all'], name: 'Root' }] }),
  );
  expect(privileged?.picks).toEqual([{ archetypeId: 'writer', reason: 'Chosen by the model.' }]);
});

verifies('casting.parse.closed', 'what a model says is one line in which nothing acts, hides or is a secret', () => {
  const secret = `sk-${'a1'.repeat(20)}`;
  const found = read(
    JSON.stringify({
      rationale: `a\n\nb\u001b[2J ${secret}`,
      roles: [role('writer', `x\u202e\u200b${'y'.repeat(9_000)}`)],
    }),
  );
  expect(found?.rationale).toBe('a b\\u{1b}[2J ********');
  const reason = found?.picks[0]?.reason ?? '';
  expect(reason.startsWith('x\\u{202e}\\u{200b}yy')).toBe(true);
  expect([...reason].length).toBeLessThanOrEqual(TEAM_LIMITS.goalCharacters);
});
