/**
 * Settings: clients, slots, budget, worktrees, notices, the service and its log, and all other settings.
 * @packageDocumentation
 */
import { useState } from 'react';
import { inert } from '#kernel/text.js';
import type { Answer } from '#surfaces/http/contract.js';
import { useAction } from '../../data/action.js';
import { change } from '../../data/api.js';
import { useResource } from '../../data/resource.js';
import { useRefusal } from '../../data/visitor.js';
import { CopyIcon } from '../../shell/CopyIcon.js';
import { Failure, Skeleton } from '../../shell/Skeleton.js';
import { Clients } from './Clients.js';
import { Service } from './Service.js';
import { SettingField, SettingList } from './SettingList.js';
import { settingsResource } from './settings.js';
import './settings.css';

const PARTS = [
  ['clients', 'Clients'],
  ['slots', 'Slots'],
  ['budget', 'Budget'],
  ['worktrees', 'Worktrees'],
  ['notices', 'Notices'],
  ['service', 'Service'],
  ['all', 'All settings'],
] as const;

/** Keys of the parts that a person meets first; `all` has the rest. */
const KEYS = {
  slots: [
    'coordinator.max_agents',
    'coordinator.agent_timeout',
    'coordinator.agent_idle_timeout',
    'coordinator.poll_interval',
  ],
  budget: [
    'budget.usd_per_day',
    'budget.usd_total',
    'budget.usd_per_task',
    'budget.tokens_per_day',
    'budget.reserve_usd',
    'budget.reserve_tokens',
  ],
  worktrees: [
    'coordinator.worktree_isolation',
    'worktree.setup',
    'worktree.setup_timeout',
    'worktree.copy',
    'coordinator.merge_back',
    'coordinator.land',
  ],
  notices: [
    'notify.about',
    'notify.quiet',
    'notify.every',
    'notify.desktop',
    'notify.webhook.url_env',
    'notify.webhook.shape',
    'notify.smtp.to',
    'notify.matrix.to',
  ],
} as const;

export default function SettingsPage() {
  const { answer } = useResource(settingsResource);
  const refusal = useRefusal();
  return (
    <div className="settings">
      <nav className="settings-nav" aria-label="Parts of the settings">
        <ul>
          {PARTS.map(([id, title]) => (
            <li key={id}>
              <button
                type="button"
                className="quiet"
                onClick={() => document.getElementById(`settings-${id}`)?.scrollIntoView({ block: 'start' })}
              >
                {title}
              </button>
            </li>
          ))}
        </ul>
      </nav>
      <div className="settings-parts">
        <div>
          <h1>Settings</h1>
          <p className="muted">
            {refusal ?? `Each change is saved at once, in ${inert(answer?.file ?? '.workgraph/config.toml')}.`}
          </p>
          {answer?.warnings.map((warning) => (
            <p key={warning} className="settings-warning">
              {inert(warning)}
            </p>
          ))}
        </div>
        <Part id="clients">
          <Clients />
        </Part>
        <Part id="slots">
          <SettingList keys={KEYS.slots} />
        </Part>
        <Part id="budget">
          <SettingList keys={KEYS.budget} />
        </Part>
        <Part id="worktrees">
          <SettingList keys={KEYS.worktrees} />
        </Part>
        <Part id="notices">
          <SettingList keys={KEYS.notices} />
          <NotifyTest />
        </Part>
        <Part id="service">
          <Service />
        </Part>
        <Part id="all">
          <Others />
        </Part>
      </div>
    </div>
  );
}

function Part({ id, children }: { readonly id: (typeof PARTS)[number][0]; readonly children: React.ReactNode }) {
  const title = PARTS.find(([name]) => name === id)?.[1];
  return (
    <section className="settings-part" id={`settings-${id}`} aria-label={title}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

/** Sends one notice to each channel and shows which arrived. */
function NotifyTest() {
  const [sent, setSent] = useState<Answer<'notify.test'>>();
  const { busy, trouble, run } = useAction();
  const refusal = useRefusal();
  const send = () =>
    run(async () => {
      setSent(undefined);
      setSent(await change<Answer<'notify.test'>>('POST', 'notify/test'));
    });
  return (
    <div className="settings-test">
      <div className="buttons">
        <button type="button" disabled={busy || refusal !== undefined} onClick={() => void send()}>
          {busy ? 'Sending…' : 'Send a test'}
        </button>
        <CopyIcon text="troupe notify test" />
      </div>
      <div role="status">
        {sent?.channels.map(({ channel, sent: arrived, why }) => (
          <p key={channel}>
            {arrived ? '●' : '✕'} {channel}: {arrived ? 'sent' : inert(why ?? 'not sent')}
          </p>
        ))}
      </div>
      {trouble === undefined ? null : <Failure error={trouble} />}
    </div>
  );
}

/** All settings that no part above has, by words in their name or description. */
function Others() {
  const { answer, error } = useResource(settingsResource);
  const [words, setWords] = useState('');
  if (answer === undefined) return error === undefined ? <Skeleton rows={6} /> : <Failure error={error} />;
  const shown = new Set<string>([
    ...Object.values(KEYS).flat(),
    'coordinator.executor',
    'coordinator.fallback',
    'coordinator.model',
    'clients.sandbox',
  ]);
  const wanted = words.trim().toLowerCase();
  const rows = answer.settings.filter(({ key, about }) =>
    wanted === '' ? !shown.has(key) : `${key} ${about}`.toLowerCase().includes(wanted),
  );
  return (
    <>
      <label className="field settings-find">
        Find a setting
        <input type="text" value={words} autoComplete="off" onChange={({ target }) => setWords(target.value)} />
      </label>
      <ul className="settings-list">
        {rows.map((row) => (
          <SettingField key={row.key} row={row} />
        ))}
      </ul>
      {rows.length === 0 ? <p className="empty">No setting has these words.</p> : null}
    </>
  );
}
