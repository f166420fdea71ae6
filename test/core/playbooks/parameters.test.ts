import { describe, expect, test } from 'vitest';
import type { TaskTemplate } from '#core/playbooks/function.js';
import { featureName, parametrize } from '#core/playbooks/function-inputs.js';
import { verifies } from '../../verifies.js';

const template = (title: string, more: Partial<TaskTemplate> = {}): TaskTemplate => ({
  template_id: title.toLowerCase().replaceAll(' ', '-'),
  title,
  ...more,
});

describe('what becomes an input', () => {
  verifies('graph.func.params', 'name, address, path, command and bound, replaced in every text', () => {
    const { inputs, tasks } = parametrize([
      template('Write login page', {
        description:
          'See https://example.org/spec. Change src/login/page.ts, then run `npm test login`; coverage at least 80%.',
        deliverables: ['docs/login.md'],
      }),
      template('Review login page', {
        verify: 'docs/login.md is there, npm test login passes within 30 s, and https://example.org/spec is met',
      }),
    ]);
    expect(inputs.map((input) => [input.name, input.type, input.default ?? input.example])).toEqual([
      ['feature_name', 'string', 'login page'],
      ['url', 'url', 'https://example.org/spec'],
      ['npm_test_login_command', 'string', 'npm test login'],
      ['page_path', 'string', 'src/login/page.ts'],
      ['threshold', 'number', 80],
      ['login_path', 'string', 'docs/login.md'],
      ['threshold_2', 'number', 30],
    ]);
    expect(tasks).toMatchObject([
      {
        title: 'Write {{input.feature_name}}',
        description:
          'See {{input.url}}. Change {{input.page_path}}, then run `{{input.npm_test_login_command}}`; coverage at least {{input.threshold}}%.',
        deliverables: ['{{input.login_path}}'],
      },
      {
        title: 'Review {{input.feature_name}}',
        verify:
          '{{input.login_path}} is there, {{input.npm_test_login_command}} passes within {{input.threshold_2}} s, and {{input.url}} is met',
      },
    ]);
  });

  test('only whole words, and numbers only where they are bounds', () => {
    const { tasks } = parametrize([
      template('Write login'),
      template('Test login', { description: 'logins of 2026 blogin; 80 users, at most 80; src/a/b and src/a/bc' }),
    ]);
    expect(tasks[1]?.description).toBe(
      'logins of 2026 blogin; 80 users, at most {{input.threshold}}; {{input.b_path}} and {{input.bc_path}}',
    );
  });

  test('commands, tags and edges are no texts', () => {
    const fixed = { exec: 'cat src/login/page.ts', verify_cmd: 'npm test login', tags: ['login'], after: ['login'] };
    const { tasks } = parametrize([
      template('Write login', { ...fixed, description: 'src/login/page.ts' }),
      template('Read login', {}),
    ]);
    expect(tasks[0]).toMatchObject(fixed);
    expect(tasks[0]?.description).toBe('{{input.page_path}}');
  });

  test('what looks like a placeholder already is nobody’s input', () => {
    const { inputs, tasks } = parametrize([
      template('Write login', { description: 'keep {{input.feature_name}} as it is' }),
      template('Test login'),
    ]);
    expect(inputs.map((input) => input.name)).toEqual(['feature_name_2']);
    expect(tasks[0]).toMatchObject({
      title: 'Write {{input.feature_name_2}}',
      description: 'keep {{input.feature_name}} as it is',
    });
  });

  test('and/or is no path, 1.50 is no number that would come back, a word in quotes no command', () => {
    const { inputs } = parametrize([
      template('Go', { description: 'this and/or that, at least 1.50, say `hello there`' }),
    ]);
    expect(inputs).toEqual([]);
  });
});

describe('the name of a feature', () => {
  const NAMES: [string[], string | undefined][] = [
    [['Write login page', 'Review login page', 'Publish login page'], 'login page'],
    [['Write the login page', 'Review the login page.'], 'login page'],
    [['Implement search'], 'search'],
    [['Deploy'], undefined],
    [['Review login', 'Review logout'], undefined],
    [['Login: write', 'Login: review'], 'Login'],
    [['Build search index', 'Test search index', 'Announce it'], 'search index'],
    [['Write docs', 'Ship code'], undefined],
    [['', ''], undefined],
  ];
  for (const [titles, name] of NAMES) {
    test(`${titles.join(' | ')} → ${name ?? 'none'}`, () => expect(featureName(titles)).toBe(name));
  }
});
