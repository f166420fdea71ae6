import { expect } from 'vitest';
import type { MailRight } from '#core/mail/conversation.js';
import { REPORT_VERBS } from '#core/runs/report-way.js';
import { offerToRun } from '#surfaces/mcp/offers.js';
import { listed, toolOf } from '#surfaces/mcp/server.js';
import { wordsOf, wrongCommand } from '../house/quoted-commands.js';
import { verifies } from '../verifies.js';

/** Tools as a run is told of them, whose prompt is this. */
async function listedFor(mail: MailRight, prompt: string) {
  const offer = offerToRun('own', mail, prompt);
  return (await Promise.all(offer.specs.filter(offer.lists).map((spec) => toolOf(spec, offer)))).map(listed);
}

verifies(
  'hold.report-way',
  'a run of a plain task is told of few tools; of those for teams and formations where its prompt names one',
  async () => {
    const plain = await listedFor('none', 'Write the parser.');
    expect(JSON.stringify({ tools: plain }).length, 'bytes in each request').toBeLessThan(5_000);
    expect(plain.map(({ name }) => name)).toEqual([
      ...[
        'task_show',
        'task_list',
        'task_log',
        'task_artifact',
        'task_checkpoint',
        'task_wait',
        'task_done',
        'task_fail',
      ],
      ...['task_add', 'msg_send'],
    ]);
    const whole = await listedFor(
      'send',
      Object.values(REPORT_VERBS)
        .map(({ tool }) => tool)
        .join(' '),
    );
    for (const { name, inputSchema } of whole)
      expect(Object.keys(inputSchema['properties'] as object), name).toEqual(
        expect.arrayContaining(inputSchema['required'] as string[]),
      );
    const unlisted = offerToRun('own', 'none', '').specs.find(({ name }) => name === 'team.say');
    expect(unlisted, 'is answered: a session may know it from before').toBeDefined();
  },
);

verifies(
  'hold.report-way',
  'every tool that a prompt names is offered to a run, with the fields that it names',
  async () => {
    for (const [verb, { tool, fields }] of Object.entries(REPORT_VERBS)) {
      const tools = await listedFor('send', `Report by \`mcp__troupe__${tool}\`.`);
      const schema = tools.find(({ name }) => name === tool)?.inputSchema;
      expect(Object.keys(schema?.['properties'] ?? {}), verb).toEqual(expect.arrayContaining([...fields]));
      const required = (schema?.['required'] ?? []) as readonly string[];
      expect(fields, verb).toEqual(expect.arrayContaining([...required]));
    }
  },
);

verifies('hold.report-way', 'every command that a prompt names is taken by the parser', async () => {
  for (const [verb, { words }] of Object.entries(REPORT_VERBS))
    expect(await wrongCommand(wordsOf(words.replaceAll('{{id}}', 'a-task'))), verb).toBeUndefined();
});
