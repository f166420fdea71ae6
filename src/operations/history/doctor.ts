import * as z from 'zod/mini';
import { TroupeError } from '#kernel/errors.js';
import { type Context, operation } from '#operations/operation.js';
import type { Finding } from '#ports/graph-store.js';
import { mergeDriverOf } from './merge-driver.js';

const findingShape = z.object({
  severity: z.enum(['note', 'warning', 'error']),
  code: z.string(),
  text: z.string(),
  remedy: z.string(),
  file: z.optional(z.string()),
  line: z.optional(z.number()),
  repairable: z.boolean(),
});

/** Looks whether the files of the graph are sound and agree; with `repair` puts right what can be proved. */
export const doctor = operation({
  name: 'project.doctor',
  input: z.strictObject({ repair: z.optional(z.boolean()) }),
  output: z.object({
    /** No errors are left. */
    ok: z.boolean(),
    folder: z.string(),
    findings: z.readonly(z.array(findingShape)),
    /** What was put right, a sentence each. */
    repaired: z.readonly(z.array(z.string())),
  }),
  async run(context, input) {
    const doctor = await context.doctor();
    if (input.repair === true && context.caller.kind === 'run') {
      throw new TroupeError('not_yours', { what: 'A run cannot repair the graph: a person does.' });
    }
    const repaired = input.repair === true ? await doctor.repair() : [];
    const findings = [...(await doctor.examine()), ...(await aboutDriver(context))];
    const ok = findings.every((finding) => finding.severity !== 'error');
    return { ok, folder: context.projectFolder, findings, repaired };
  },
});

async function aboutDriver(context: Context): Promise<Finding[]> {
  let driver: Awaited<ReturnType<typeof mergeDriverOf>>;
  try {
    driver = await mergeDriverOf(context);
  } catch (error) {
    if (error instanceof TroupeError && error.code === 'git_missing') return [];
    throw error;
  }
  if (driver !== 'absent') return [];
  return [
    {
      severity: 'note',
      code: 'merge_driver',
      text: 'This clone merges graph.jsonl line by line: conflicts are possible, and are put together from the log.',
      remedy: 'Run `troupe init --merge-driver` to let git merge it by task and field.',
      repairable: false,
    },
  ];
}
