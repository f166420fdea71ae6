import fc from 'fast-check';
import { expect } from 'vitest';
import { parseYaml } from '#adapters/catalog/function-folder.js';
import { yamlText } from '#adapters/disk/strict-yaml.js';
import { nodeLine } from '#core/graph/line.js';
import { isTask, STATUSES, type Task } from '#core/graph/task.js';
import { applyFunction } from '#core/playbooks/apply-function.js';
import { extractFunction } from '#core/playbooks/extract-function.js';
import { parseFunction } from '#core/playbooks/function-file.js';
import { checkedValues } from '#core/playbooks/function-values.js';
import { commit, graphOf, NOW } from '../core/graph/graph.js';
import { mass } from '../mass.js';
import { verifies } from '../verifies.js';

const names = ['build-a', 'build-b', 'build-c', 'build-d', 'build-e', 'build-f'];
const name = fc.constantFrom(...names);
const word = fc.constantFrom(
  ...[
    'Write',
    'Review',
    'the',
    'login',
    'page',
    'naïve',
    'and/or',
    '80%',
    'at least 0.5',
    '90',
    '{{input.feature_name}}',
  ],
  ...[
    '{{ input.url }}',
    'https://example.org/a?b=c.',
    '`npm test login`',
    'src/login/page.ts',
    './x/',
    'page.ts',
    '$&',
  ],
  ...['docs/login page.md', '"quoted"', ': #', '- x', '世界', '{{input.', '}}', '{{'],
);
const text = fc.oneof(
  fc.array(word, { minLength: 1, maxLength: 8 }).map((words) => words.join(' ')),
  fc.string({ unit: 'grapheme', maxLength: 60 }),
);
const title = text.map((said) => said.trim()).filter((said) => said !== '');
const guard = fc.oneof(
  fc.constant('Always' as const),
  fc.record({ IterationLessThan: fc.integer({ min: 0, max: 9 }) }),
  fc.record({
    TaskStatus: fc.record({
      task: fc.oneof(name, fc.constantFrom('outside', 'a')),
      status: fc.constantFrom(...STATUSES),
    }),
  }),
);
const bounds = fc.record(
  {
    max_iterations: fc.integer({ min: 1, max: 10_000 }),
    guard,
    delay: fc.constantFrom('30s', '5m', '1d'),
    no_converge: fc.constant(true as const),
    restart_on_failure: fc.constant(false as const),
    max_failure_restarts: fc.integer({ min: 1, max: 9 }),
  },
  { requiredKeys: ['max_iterations'] },
);
const labels = fc.uniqueArray(fc.constantFrom('red', 'x: y', 'with space', 'src/login/page.ts'), { minLength: 1 });

const task = fc.record(
  {
    title,
    description: text.filter((said) => said !== ''),
    after: fc.uniqueArray(name, { minLength: 1, maxLength: 4 }),
    tags: labels,
    skills: labels,
    inputs: labels,
    deliverables: labels,
    verify: text.filter((said) => said.trim() !== ''),
    exec: fc.constantFrom('npm test login', 'echo {{input.url}} > src/login/page.ts'),
    delay: fc.constantFrom('30s', '2h'),
    estimate: fc.record({ hours: fc.constantFrom(0.5, 3) }),
    cycle_config: bounds,
    success: fc.boolean(),
  },
  { requiredKeys: ['title'] },
);
const graph = fc.array(task, { minLength: 1, maxLength: names.length });

/** What a task says, with every id that is one of the graph's given another name; nothing of how it went. */
function saying(found: Task, rename: (id: string) => string): unknown {
  const { title: said, description, tags, skills, inputs, deliverables, verify, exec, delay, estimate } = found;
  const asked = found.cycle_config?.guard;
  const renamed =
    typeof asked === 'object' && 'TaskStatus' in asked
      ? { TaskStatus: { ...asked.TaskStatus, task: rename(asked.TaskStatus.task) } }
      : asked;
  const plain = {
    ...{
      said,
      description,
      tags: tags?.filter((tag) => tag !== 'eval-gate'),
      skills,
      inputs,
      deliverables,
      verify,
      exec,
    },
    ...{ delay, estimate },
    after: new Set((found.after ?? []).map(rename)),
    after_success: new Set((found.after_success ?? []).map(rename)),
    ...(found.cycle_config ? { cycle: { ...found.cycle_config, guard: renamed } } : {}),
  };
  return Object.fromEntries(Object.entries(plain).filter(([, value]) => !Array.isArray(value) || value.length > 0));
}

verifies('graph.func.same', 'what is extracted and applied with the same values is the same graph again', async () => {
  await fc.assert(
    fc.asyncProperty(graph, async (drawn) => {
      const present = new Set(names.slice(0, drawn.length));
      const done = drawn.map(({ success, ...said }, index): Task => {
        const id = names[index] ?? '';
        // An edge to itself without a bound could never begin; edges out of the picked tasks are not part of a function.
        const after = (said.after ?? []).filter(
          (before) => present.has(before) && (before !== id || said.cycle_config),
        );
        const edges = after.length === 0 ? {} : { after, ...(success ? { after_success: after.slice(0, 1) } : {}) };
        const { after: _, ...rest } = said;
        return { kind: 'task', id, status: 'done', ...rest, ...edges };
      });
      const before = graphOf(...done);
      const draft = extractFunction(before, [...present], { now: NOW, actor: 'ann', roles: new Map() });
      const found = parseFunction(await parseYaml(yamlText(draft), 'f.yaml'), 'f.yaml');
      const given = Object.fromEntries(
        found.inputs.map((input) => [input.name, String(input.default ?? input.example)]),
      );
      const after = graphOf();
      const options = { now: NOW, by: { name: 'ann' }, prefix: 'p', holdCommands: false };
      const applied = commit(after, applyFunction(after, found, checkedValues(found, given, new Map()), options));

      expect(applied.drafts).toHaveLength(drawn.length);
      const ids = new Map(done.map((one, index) => [one.id, applied.drafts[index]?.id ?? '']));
      for (const original of done) {
        const copy = after.task(ids.get(original.id) ?? '');
        expect(copy?.status).toBe('open');
        if (!copy) continue;
        expect(saying(copy, (id) => id)).toEqual(saying(original, (id) => ids.get(id) ?? id));
        expect(copy.not_before).toBe(
          original.delay === undefined
            ? undefined
            : new Date(NOW + (original.delay === '30s' ? 30_000 : 7_200_000)).toISOString(),
        );
        expect(JSON.parse(nodeLine(copy))).toMatchObject({ kind: 'task', id: copy.id });
      }
      expect([...after.nodes()].filter(isTask)).toHaveLength(drawn.length);
    }),
    { numRuns: mass(40, 2_000) },
  );
});

verifies('graph.func.same', 'a file gives back every text as it was', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.string({ unit: 'grapheme', maxLength: 80 })), fc.json(), async (texts, json) => {
      const value = { texts, json, doubled: [texts, texts] };
      expect(await parseYaml(yamlText(value), 'f.yaml')).toEqual(value);
    }),
  );
});
