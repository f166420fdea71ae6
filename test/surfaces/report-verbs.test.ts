import { expect } from 'vitest';
import { REPORT_VERBS } from '#core/runs/report-way.js';
import { offerToRun } from '#surfaces/mcp/offers.js';
import { toolOf } from '#surfaces/mcp/server.js';
import { wordsOf, wrongCommand } from '../house/quoted-commands.js';
import { verifies } from '../verifies.js';

verifies(
  'hold.report-way',
  'every tool that a prompt names is offered to a run, with the fields that it names',
  async () => {
    const offer = offerToRun('own', 'send');
    const tools = await Promise.all(offer.specs.map((spec) => toolOf(spec, offer)));
    for (const [verb, { tool, fields }] of Object.entries(REPORT_VERBS)) {
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
