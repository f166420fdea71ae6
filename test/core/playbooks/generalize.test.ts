import { expect, test } from 'vitest';
import type { TaskTemplate } from '#core/playbooks/function.js';
import { generalizeBlocks, parseGeneralized } from '#core/playbooks/generalize.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { questionText } from '#kernel/question.js';
import { verifies } from '../../verifies.js';

const NONCE = 'nonce-of-a-test';
const TASKS: readonly TaskTemplate[] = [
  {
    template_id: 'write',
    title: 'Write {{input.feature_name}} by Friday',
    description: 'As Ann said: change {{input.page_path}}.',
    after: ['review'],
    cycle: { max_iterations: 5, guard: 'task:review=failed' },
    exec: 'make it',
  },
  { template_id: 'review', title: 'Review {{input.feature_name}}', after: ['write'], skills: ['reading'] },
];
const [WRITE] = TASKS;
const answer = (...tasks: object[]) => JSON.stringify({ tasks });
const GOOD = answer({
  template_id: 'write',
  title: 'Write {{input.feature_name}}',
  description: 'Change {{ input.page_path }}.',
});

verifies('graph.func.params', 'a model rewords texts; edges, cycles, commands and skills stay what they were', () => {
  const better = parseGeneralized(TASKS, `Here it is:\n\`\`\`json\n${GOOD}\n\`\`\`\nDone.`);
  expect(better).toEqual([
    { ...WRITE, title: 'Write {{input.feature_name}}', description: 'Change {{ input.page_path }}.' },
    TASKS[1],
  ]);
  expect(Object.keys(better?.[0] ?? {})).toEqual(Object.keys(WRITE ?? {}));
  expect(parseGeneralized(TASKS, '{"tasks":[]}')).toEqual(TASKS);
  expect(parseGeneralized(TASKS, `Like {this}: {"ok":true} ${GOOD}`)).toEqual(better);
  expect(parseGeneralized(TASKS, `${GOOD} ${answer({ template_id: 'review', title: 'Other' })}`)).toEqual(better);
});

const title = 'Write {{input.feature_name}}';
const BAD: [string, string][] = [
  ['nothing', ''],
  ['prose', 'I would rather not, but {here} is a thought.'],
  ['a list', '[1, 2]'],
  ['cut short', GOOD.slice(0, -1)],
  ['cut in a text', GOOD.slice(0, 40)],
  ['a key beside', GOOD.replace('{"tasks"', '{"inputs":[],"tasks"')],
  ['an edge', answer({ template_id: 'write', title, after: [] })],
  ['a command', answer({ template_id: 'write', title, exec: 'rm -rf /' })],
  ['verify', answer({ template_id: 'write', title, verify: 'nothing' })],
  ['an unknown task', answer({ template_id: 'deploy', title })],
  ['an id of every object', answer({ template_id: 'constructor', title })],
  ['one task twice', answer({ template_id: 'write', title }, { template_id: 'write', title })],
  ['one key twice', '{"tasks":[{"template_id":"write","title":"x","title":"Write {{input.feature_name}}"}]}'],
  ['a prototype', '{"__proto__":1,"tasks":[]}'],
  ['a placeholder lost', answer({ template_id: 'write', title: 'Write it' })],
  ['a new placeholder', answer({ template_id: 'write', title: `${title} {{input.page_path}}` })],
  ['a placeholder renamed', answer({ template_id: 'review', title: 'Review {{input.feature}}' })],
  ['a description where none was', answer({ template_id: 'review', description: 'Read {{input.feature_name}}' })],
  ['an empty text', answer({ template_id: 'write', title: ' ' })],
  ['no text', answer({ template_id: 'write', title: null })],
  ['two lines', answer({ template_id: 'write', title: `${title}\nand more` })],
  ['hidden signs', answer({ template_id: 'write', title: `${title}\u202e` })],
  ['a control', answer({ template_id: 'write', title: `${title}\u001b[2J` })],
  ['much longer', answer({ template_id: 'write', title: title + 'x'.repeat(WORK_LIMITS.titleCharacters) })],
  ['grown', answer({ template_id: 'write', description: `{{input.page_path}} ${'x'.repeat(400)}` })],
  ['deep', `{"tasks":${'['.repeat(50_000)}${']'.repeat(50_000)}}`],
  ['10 MB', answer({ template_id: 'write', title, description: 'x'.repeat(10_000_000) })],
  ['10 MB of braces', '{'.repeat(10_000_000)],
];

for (const [what, text] of BAD) {
  verifies('graph.func.params', `not taken from a model: ${what}`, () => {
    expect(parseGeneralized(TASKS, text)).toBeUndefined();
  });
}

test('a prompt holds the texts as data and nothing else of the tasks', () => {
  const prompt = questionText('Reword.', NONCE, generalizeBlocks(TASKS) ?? []);
  expect(prompt).toContain(`Reword.\n\n<<<data-${NONCE} texts\n{"template_id":"write","title":"Write {{input`);
  expect(prompt.trimEnd().endsWith(`data-${NONCE}>>>`)).toBe(true);
  expect(prompt).not.toContain('make it');
});

test('texts with something hidden, or too many, are not shown to a model and not changed by it', () => {
  const hidden: TaskTemplate = { template_id: 'h', title: 'Seen\u200bnot' };
  expect(generalizeBlocks([hidden])).toBeUndefined();
  expect(parseGeneralized([hidden], answer({ template_id: 'h', title: 'Seen' }))).toBeUndefined();
  const long: TaskTemplate = { template_id: 'l', title: 'Long', description: 'x'.repeat(TEAM_LIMITS.modelTextsBytes) };
  expect(generalizeBlocks([long])).toBeUndefined();
});
