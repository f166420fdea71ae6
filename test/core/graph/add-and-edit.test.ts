import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addTask } from '#core/graph/add.js';
import { editTask } from '#core/graph/edit.js';
import { toEntryLines } from '#core/graph/entries.js';
import { graphText, nodeLine, parseGraph } from '#core/graph/line.js';
import { artifactTask, failTask, logTask } from '#core/graph/moves.js';
import { isIdForm, titleSlug, wholeWords } from '#core/graph/slug.js';
import { parseForeignObject } from '#kernel/json.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { anyText } from '../../any-text.js';
import { verifies } from '../../verifies.js';
import { ann, commit, graphOf, NOW } from './graph.js';

const context = { now: NOW, actor: 'ann' };
const code = (wanted: string) => expect.objectContaining({ code: wanted });

describe('ids', () => {
  const SLUGS: [string, string][] = [
    ['Write draft', 'write-draft'],
    ['Fix the login bug now please', 'fix-the-login'],
    ['2 big 3 red 4 balls 5 6 in a row', '2-big-3-red-4-balls-5-6'],
    ['Say hello in README.md', 'say-hello-in-readme'],
    ['Add a new page to the site', 'add-a-new-page'],
    ['Do it for me or else it is not done', 'do-it-for-me-or-else'],
    ['A b c d e f g h', 'a-b-c-d-e-f'],
    ["Don't fix users' logins", 'dont-fix-users'],
    [`Mend ${'x'.repeat(120)} now`, 'mend'],
    ['Café naïve résumé', 'cafe-naive-resume'],
    ['  --spaced__out!!  ', 'spaced-out'],
    ['$(touch pwned)', 'touch-pwned'],
    ['世界', 'task'],
    ['🎭', 'task'],
    ['../../etc/passwd', 'etc-passwd'],
    ['2026', '2026'],
  ];
  verifies('graph.task.slug', 'the first three words, with the numbers beside them', () => {
    for (const [title, slug] of SLUGS) expect(titleSlug(title), title).toBe(slug);
  });

  verifies(['graph.task.slug', 'sec.names'], 'whatever the title, its slug is a valid id', () => {
    fc.assert(
      fc.property(anyText({ maxLength: 300 }), (title) => {
        expect(isIdForm(titleSlug(title))).toBe(true);
        expect(titleSlug(title)).toMatch(/^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/);
      }),
    );
    expect(isIdForm(titleSlug('x'.repeat(300)))).toBe(true);
  });

  verifies('tree.ids', 'an id of words that is cut short ends with a word', () => {
    for (const [slug, most, cut] of [
      ['fix-the-login', 20, 'fix-the-login'],
      ['fix-the-login', 12, 'fix-the'],
      ['fix-the-login', 8, 'fix-the'],
      ['fix-the-login', 7, 'fix-the'],
      ['internationalization', 8, 'internat'],
    ] as const)
      expect(wholeWords(slug, most)).toBe(cut);
  });

  verifies('graph.task.slug', 'a taken slug is numbered', () => {
    const graph = graphOf();
    const ids = [1, 2, 3].map(() => commit(graph, addTask(graph, { title: 'Same thing' }, context)).id);
    expect(ids).toEqual(['same-thing', 'same-thing-2', 'same-thing-3']);
  });

  verifies('graph.task.id-once', 'an id is never given again, not even one that is gone; titles change freely', () => {
    const graph = graphOf({ id: 'old', title: 'Old' });
    commit(graph, { events: [{ op: 'hand_edit', patch: [{ id: 'old', del: true }] }], result: undefined });
    expect(graph.task('old')).toBeUndefined();
    expect(() => addTask(graph, { title: 'X', id: 'old' }, context)).toThrowError(code('id_taken'));
    expect(commit(graph, addTask(graph, { title: 'Old' }, context)).id).toBe('old-2');
    commit(graph, editTask(graph, 'old-2', { title: 'Quite different' }, { by: ann }));
    expect(graph.task('old-2')?.title).toBe('Quite different');
  });

  verifies(
    ['graph.task.id-form', 'sec.names'],
    'an id is never a path, a flag, a lock or anything a shell reads',
    () => {
      const bad = [
        '',
        '.',
        '..',
        '-x',
        '--upload-pack=x',
        'a/b',
        'a..b',
        'a.lock',
        'a b',
        'a\nb',
        '$(x)',
        '`x`',
        'a;b',
        'é',
        '\u3000',
        'a\0',
        'x'.repeat(101),
        '_a',
        '.hidden',
        '@{u}',
      ];
      for (const id of bad) {
        expect(() => addTask(graphOf(), { title: 'X', id }, context), JSON.stringify(id)).toThrowError(
          code('bad_input'),
        );
      }
      for (const id of ['a', 'A.b_c-1', '0', 'x'.repeat(100)]) {
        expect(addTask(graphOf(), { title: 'X', id }, context).result.id).toBe(id);
      }
    },
  );
});

describe('bounds', () => {
  verifies('graph.task.bounds', 'at the limit it fits, one beyond is too_large, and nothing is cut', () => {
    const graph = graphOf({ id: 'a' });
    const by = { now: NOW, by: ann };
    const cases: [string, number, (size: number) => unknown][] = [
      ['title', WORK_LIMITS.titleCharacters, (size) => addTask(graph, { title: '🎭'.repeat(size) }, context)],
      [
        'description',
        WORK_LIMITS.descriptionBytes,
        (size) => addTask(graph, { title: 'T', description: 'x'.repeat(size) }, context),
      ],
      [
        'new title',
        WORK_LIMITS.titleCharacters,
        (size) => editTask(graph, 'a', { title: 'x'.repeat(size) }, { by: ann }),
      ],
      ['log', WORK_LIMITS.logMessageBytes, (size) => logTask(graph, 'a', 'x'.repeat(size), by)],
      ['reason', WORK_LIMITS.logMessageBytes, (size) => failTask(graph, 'a', { ...by, reason: 'x'.repeat(size) })],
      [
        'command',
        WORK_LIMITS.descriptionBytes,
        (size) => addTask(graph, { title: 'T', exec: 'x'.repeat(size) }, context),
      ],
      [
        'edges',
        WORK_LIMITS.edgesPerTask,
        (size) =>
          addTask(graph, { title: 'T', after: Array.from({ length: size }, (_, index) => `t${index}`) }, context),
      ],
    ];
    for (const [name, limit, make] of cases) {
      expect(() => make(limit), name).not.toThrow();
      expect(() => make(limit + 1), name).toThrowError(code('too_large'));
    }
    expect(() =>
      addTask(graph, { title: 'T', description: 'é'.repeat(WORK_LIMITS.descriptionBytes / 2 + 1) }, context),
    ).toThrowError(code('too_large'));
  });

  verifies('graph.task.bounds', 'a line of the log is bounded in bytes, whatever the letters', () => {
    const lines = (letter: string, count: number) => {
      const draft = { op: 'x', detail: { text: letter.repeat(count) }, patch: [] };
      return toEntryLines([draft], { seq: 0, id: undefined }, 't', () => 'e');
    };
    expect(() => lines('x', WORK_LIMITS.lineBytes)).toThrowError(code('too_large'));
    expect(() => lines('é', WORK_LIMITS.lineBytes / 2)).toThrowError(code('too_large'));
    expect(lines('é', 1_000)[0]?.line.endsWith('\n')).toBe(true);
  });

  verifies('graph.task.bounds', 'a number that readers of the log skip is refused before it is written', () => {
    const lines = (detail: object) =>
      toEntryLines([{ op: 'x', detail: { ...detail }, patch: [] }], { seq: 0, id: undefined }, 't', () => 'e');
    for (const hours of [2 ** 53, 1e300]) expect(() => lines({ estimate: { hours } })).toThrowError(code('bad_input'));
    expect(() => lines({ hours: -(2 ** 60) })).toThrowError(code('bad_input'));
    const [kept] = lines({ hours: Number.MAX_SAFE_INTEGER, text: '12345678901234567890' });
    expect(parseForeignObject(kept?.line ?? '')).toMatchObject({ detail: { hours: Number.MAX_SAFE_INTEGER } });
  });

  test('a title of blanks, a command with NUL and a negative estimate are refused', () => {
    for (const draft of [
      { title: ' \n ' },
      { title: 'T', exec: 'a\0b' },
      { title: 'T', hours: -1 },
      { title: 'T', cost: Number.NaN },
    ]) {
      expect(() => addTask(graphOf(), draft, context)).toThrowError(code('bad_input'));
    }
  });
});

describe('edges', () => {
  verifies('graph.edge.after', 'duplicates collapse, a task never comes after itself, before is never read', () => {
    const graph = graphOf({ id: 'a' }, { id: 'z', before: ['n'] as never });
    commit(graph, addTask(graph, { title: 'N', after: ['a', 'a', '', 'a'] }, context));
    expect(graph.task('n')?.after).toEqual(['a']);
    expect(graph.dependents('a')).toEqual(['n']);
    expect(graph.dependents('z')).toEqual([]);
    expect(() => addTask(graph, { title: 'Self', id: 'self', after: ['self'] }, context)).toThrowError(
      code('bad_input'),
    );
    expect(() => editTask(graph, 'n', { add_after: ['n'] }, { by: ann })).toThrowError(code('bad_input'));
  });

  verifies('graph.edge.success', '--after-success stands in both lists, and leaves both together', () => {
    const graph = graphOf({ id: 'a' }, { id: 'b' });
    commit(graph, addTask(graph, { title: 'N', after: ['a'], after_success: ['b'] }, context));
    expect(graph.task('n')).toMatchObject({ after: ['a', 'b'], after_success: ['b'] });
    commit(graph, editTask(graph, 'n', { remove_after: ['b'], add_after_success: ['a'] }, { by: ann }));
    expect(graph.task('n')).toMatchObject({ after: ['a'], after_success: ['a'] });
  });

  verifies('graph.edge.missing', 'an unknown predecessor warns with the one meant; --strict refuses', () => {
    const graph = graphOf({ id: 'write-draft' });
    const plan = addTask(graph, { title: 'N', after: ['write-darft'] }, context);
    expect(plan.result.warnings).toEqual([expect.stringContaining('Did you mean write-draft?')]);
    expect(() => addTask(graph, { title: 'N', after: ['nope'] }, { ...context, unknown: 'refuse' })).toThrowError(
      code('unknown_task'),
    );
    commit(graph, plan);
    expect(editTask(graph, 'n', { add_after: ['write-dra'] }, { by: ann }).result.warnings).toHaveLength(1);
    expect(editTask(graph, 'n', { add_tags: ['x'] }, { by: ann }).result.warnings).toEqual([]);
    expect(() => editTask(graph, 'n', { add_after: ['nope'] }, { by: ann, unknown: 'refuse' })).toThrowError(
      code('unknown_task'),
    );
  });

  verifies(
    'graph.resource.use',
    'an unknown resource warns with the one meant, or with the command that adds it',
    () => {
      const graph = graphOf({ kind: 'resource', id: 'gpu-hours' } as never, { id: 'a' });
      const warned = (requires: string[]) => addTask(graph, { title: 'N', requires }, context).result.warnings;
      expect(warned(['gpu-hours'])).toEqual([]);
      expect(warned(['gpu-huors', 'a'])).toEqual([
        'There is no resource gpu-huors: it limits nothing. Did you mean gpu-hours?',
        'There is no resource a: it limits nothing. `troupe resource add a` adds it.',
      ]);
      expect(editTask(graph, 'a', { requires: ['gpu-huors'] }, { by: ann }).result.warnings).toHaveLength(1);
    },
  );

  verifies('wait.all', 'a predecessor that is not there is refused with the id meant, unless it is added later', () => {
    const graph = graphOf({ id: 'write-draft' }, { id: 'a' });
    const asked = { ...context, unknown: 'refuse' } as const;
    const add = (after: string, unknown: 'refuse' | 'warn' = 'refuse') =>
      addTask(graph, { title: 'N', after: [after] }, { ...asked, unknown }).result.warnings.length;
    const refused = expect.objectContaining({
      code: 'unknown_task',
      hint: expect.stringMatching(/write-draft.*--allow-missing/),
    });
    expect(() => add('write-darft')).toThrow(refused);
    expect(() => add('publish')).toThrow(code('unknown_task'));
    expect(() => editTask(graph, 'a', { add_after: ['publish'] }, { by: ann, unknown: 'refuse' })).toThrow(
      code('unknown_task'),
    );
    expect(add('publish', 'warn')).toBe(1);
    expect(add('write-draft')).toBe(0);
  });

  verifies('wait.all', 'an edge that makes tasks wait for one another for ever says so when it is made', () => {
    const graph = graphOf({ id: 'a', after: ['b'] }, { id: 'b', after: ['c'] }, { id: 'c' }, { id: 'z', after: ['n'] });
    const edit = (change: object) => editTask(graph, 'c', change, { by: ann }).result.warnings;
    const told = [
      expect.stringMatching(/^3 tasks now wait for one another, .*\(a, b, c\): `troupe edit c --max-iterations 3`/),
    ];
    expect(edit({ add_after: ['a'] })).toEqual(told);
    expect(edit({ add_after: ['a'], max_iterations: 3 }), 'a bounded cycle').toEqual([]);
    expect(edit({ add_after: ['z'] }), 'no way back').toHaveLength(0);
    const added = (draft: object) =>
      addTask(graph, { title: 'N', id: 'n', ...draft }, context).result.warnings.filter((text) =>
        /wait for/.test(text),
      );
    expect(added({ after: ['z'] })).toHaveLength(1);
    expect(added({ after: ['c'] })).toEqual([]);
    expect(added({ after: ['a'], place_before: ['c'] })).toHaveLength(1);
    const bounded = graphOf({ id: 'a', after: ['b'], cycle_config: { max_iterations: 2 } }, { id: 'b' });
    expect(editTask(bounded, 'b', { add_after: ['a'] }, { by: ann }).result.warnings).toEqual([]);
  });
});

describe('edits', () => {
  test('what says nothing new writes nothing', () => {
    const graph = graphOf({ id: 'a', title: 'A', tags: ['x'] });
    for (const edit of [{}, { title: 'A' }, { add_tags: ['x'] }, { remove_tags: ['y'] }, { clear: ['description'] }]) {
      expect(editTask(graph, 'a', edit, { by: ann })).toMatchObject({ events: [], result: { changed: false } });
    }
  });

  test('a list that becomes empty goes; a field that may not be cleared is named', () => {
    const graph = graphOf({ id: 'a', tags: ['x'], description: 'd', exec: 'true' });
    commit(graph, editTask(graph, 'a', { remove_tags: ['x'], clear: ['description', 'exec'] }, { by: ann }));
    expect(Object.keys(graph.task('a') ?? {}).sort()).toEqual(['id', 'kind', 'rev', 'status', 'title']);
    commit(graph, editTask(graph, 'a', { verify_cmd: 'true' }, { by: ann }));
    commit(graph, editTask(graph, 'a', { clear: ['verify-cmd'] }, { by: ann })); // as its flag is spelled
    expect(graph.task('a')).not.toHaveProperty('verify_cmd');
    expect(() => editTask(graph, 'a', { clear: ['status'] }, { by: ann })).toThrowError(code('bad_input'));
  });

  verifies('graph.task.unknown', 'fields and kinds of others survive every change and every rewrite', () => {
    const line = '{"kind":"task","id":"a","title":"A","status":"open","x_shade":{"deep":[1,null]},"y":0,"z":""}';
    const other = '{"kind":"weather","id":"w","wind":3,"calm":false}';
    const graph = graphOf();
    graph.load(parseGraph(`${line}\n${other}\n`).nodes.values(), 1);
    const by = { now: NOW, by: ann };
    commit(graph, editTask(graph, 'a', { title: 'B' }, { by: ann }));
    commit(graph, logTask(graph, 'a', 'words', by));
    commit(graph, artifactTask(graph, 'a', ['f.txt'], by));
    const text = graphText(graph.nodes(), [], []);
    expect(JSON.parse(text.split('\n')[0] ?? '')).toMatchObject({
      title: 'B',
      x_shade: { deep: [1, null] },
      y: 0,
      z: '',
    });
    expect(text.split('\n')[1]).toBe(other);
  });

  verifies('graph.store.lines', 'a line is stable: read and written again it is the same', () => {
    const node = {
      status: 'done',
      title: 'T',
      id: 't',
      kind: 'task',
      fence: 0,
      paused: false,
      tags: [],
      zeta: 0,
      after: ['b', 'a'],
    } as never;
    const once = nodeLine(node);
    expect(once).toBe('{"kind":"task","id":"t","title":"T","status":"done","after":["b","a"],"zeta":0}');
    expect(nodeLine(JSON.parse(once))).toBe(once);
  });
});
