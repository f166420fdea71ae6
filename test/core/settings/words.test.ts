import { expect } from 'vitest';
import { settingForm } from '#core/settings/form.js';
import { KEYS } from '#core/settings/schema.js';
import { SETTING_WORDS } from '#core/settings/words.js';
import { verifies } from '../../verifies.js';

verifies(
  'web.settings.form',
  'each setting has its words and no other has; its control follows from its schema',
  () => {
    expect(Object.keys(SETTING_WORDS)).toEqual([...KEYS.keys()]);
    expect(new Set(Object.values(SETTING_WORDS)).size).toBeGreaterThan(KEYS.size * 0.9);
    expect(settingForm('coordinator.max_agents')).toMatchObject({ kind: 'number', usual: '4' });
    expect(settingForm('budget.usd_per_day')).toEqual({ about: 'US dollars a day', kind: 'number' });
    expect(settingForm('coordinator.land')).toMatchObject({
      ...{ kind: 'choice', choices: ['manual', 'when-clean', 'pull-request'], usual: 'manual' },
    });
    expect(settingForm('notify.about')).toMatchObject({ kind: 'choices', choices: expect.arrayContaining(['review']) });
    expect(settingForm('worktree.copy')).toMatchObject({ kind: 'list', usual: '' });
    expect(settingForm('agency.auto_assign')).toMatchObject({ kind: 'flag', usual: 'false' });
    expect(settingForm('casting.client_files')).toMatchObject({ kind: 'flag' });
    expect(settingForm('worktree.setup')).toMatchObject({ kind: 'text', guarded: true });
    expect(settingForm('notify.quiet')).not.toHaveProperty('guarded');
  },
);
