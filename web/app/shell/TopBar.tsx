import { useState } from 'react';
import { formatCost, formatMoney, formatTokens, inert } from '#kernel/text.js';
import type { EngineFacts, ProjectAnswer } from '#surfaces/http/contract.js';
import { useAction } from '../data/action.js';
import { act, logout } from '../data/api.js';
import { live } from '../data/live.js';
import { NO_NEWS, projectResource, useResource, workResource } from '../data/resource.js';
import { useStore } from '../data/store.js';
import { chooseTheme, THEMES, type Theme, theme } from '../data/theme.js';
import { CopyIcon } from './CopyIcon.js';
import { Dialog } from './Dialog.js';
import { Projects } from './Projects.js';
import { Failure } from './Skeleton.js';

/** The service is polled: it may stop without an event in the log. */
const ASK_ENGINE_MS = 5_000;
/** Spending follows the clock, not the events: most of them cost nothing. */
const ASK_SPEND_MS = 15_000;

export function TopBar({ onSearch }: { onSearch(): void }) {
  const { answer } = useResource(projectResource, ASK_ENGINE_MS);
  return (
    <header className="top">
      <Project answer={answer} />
      {answer === undefined ? null : <Engine engine={answer.engine} />}
      <Spend />
      <button type="button" className="search-button" aria-label="Search" onClick={onSearch}>
        <svg viewBox="0 0 20 20" className="icon" aria-hidden="true">
          <path d="M3.5 9a5.5 5.5 0 1 0 11 0a5.5 5.5 0 1 0-11 0M13 13l4 4" />
        </svg>
        <span className="search-label">Search</span>
        <kbd>/</kbd>
      </button>
      <ThemeSwitch />
      <button
        type="button"
        className="logout"
        aria-label="Log out"
        title="Log out"
        onClick={() => void logout().finally(() => location.reload())}
      >
        <svg viewBox="0 0 20 20" className="icon" aria-hidden="true">
          <path d="M11.5 3.5h-7v13h7M8.5 10h8M13.5 7l3 3l-3 3" />
        </svg>
      </button>
    </header>
  );
}

/** The project; a person goes on to the others from here. */
function Project({ answer }: { readonly answer: ProjectAnswer | undefined }) {
  if (answer === undefined)
    return (
      <p className="project">
        <span className="bone" />
      </p>
    );
  const [name, folder] = [inert(answer.project.name), inert(answer.project.folder)];
  if (answer.visitor === 'person') return <Projects name={name} folder={folder} />;
  return (
    <p className="project" title={folder}>
      {name}
    </p>
  );
}

/** Spending of today against the budget of a day: in money, or in tokens where nothing has a price. */
function Spend() {
  const { answer } = useResource(workResource, ASK_SPEND_MS, NO_NEWS);
  if (answer === undefined) return null;
  const { usd_today: usd, estimated_today: estimated, usd_per_day: most } = answer.spend;
  const { tokens_today: tokens, tokens_per_day: mostTokens } = answer.spend;
  const inTokens = usd === 0 && most === null && (tokens > 0 || mostTokens !== null);
  if (usd === 0 && most === null && !inTokens) return null;
  const [used, cap] = inTokens ? [tokens, mostTokens] : [usd, most];
  const share = cap === null || cap <= 0 ? undefined : Math.min(1, used / cap);
  return (
    <p className="top-spend">
      <span className="top-spend-word">today </span>
      <strong className="number">{inTokens ? formatTokens(tokens) : formatCost(usd, estimated)}</strong>
      {cap === null ? (
        <span className="top-spend-word">{inTokens ? ' tokens' : ''}</span>
      ) : (
        <span className="number"> of {inTokens ? `${formatTokens(cap)} tokens` : formatMoney(cap)}</span>
      )}
      {share === undefined ? null : (
        <span className={share >= 0.8 ? 'meter is-near' : 'meter'} aria-hidden="true">
          <span style={{ width: `${share * 100}%` }} />
        </span>
      )}
    </p>
  );
}

/** State of the service; a click opens its actions. */
function Engine({ engine }: { readonly engine: EngineFacts }) {
  const state = useStore(live);
  const [isOpen, setOpen] = useState(false);
  const isLive = state.kind === 'live';
  const word = state.kind === 'dropped' ? 'not live' : engine.state;
  return (
    <>
      <button type="button" className="engine" title="Service" onClick={() => setOpen(true)}>
        <span className={isLive && engine.state === 'running' ? 'engine-dot is-on' : 'engine-dot'} aria-hidden="true" />
        <span className="engine-word">{word}</span>
        <span className="engine-agents">
          <span className="number">
            {engine.running}/{engine.cap}
          </span>{' '}
          agents
          {engine.away === 0 ? null : <span className="engine-away">, {engine.away} at workers</span>}
        </span>
      </button>
      {isOpen ? <ServiceDialog engine={engine} isUp={state.kind !== 'dropped'} onClose={() => setOpen(false)} /> : null}
    </>
  );
}

/** Actions on the service. A page cannot start the service that serves it, so it shows the command instead. */
function ServiceDialog(props: { readonly engine: EngineFacts; readonly isUp: boolean; onClose(): void }) {
  const { engine, isUp, onClose } = props;
  const { busy, trouble, run } = useAction();
  const steer = (verb: 'pause' | 'resume' | 'stop') =>
    run(async () => {
      await act(`service.${verb}`, {});
      await projectResource.load();
      onClose();
    });
  const isPaused = engine.state === 'paused';
  return (
    <Dialog label="Service" className="form-dialog" onClose={onClose}>
      <div className="landing">
        <h2>Service</h2>
        {isUp ? (
          <>
            <p>
              {isPaused
                ? 'Paused: no new attempts start; running ones continue.'
                : 'It starts ready tasks. Running attempts continue when it is paused or stopped.'}
            </p>
            <div className="buttons">
              <button type="button" disabled={busy} onClick={() => void steer(isPaused ? 'resume' : 'pause')}>
                {isPaused ? 'Resume' : 'Pause'}
              </button>
              <CopyIcon text={`troupe service ${isPaused ? 'resume' : 'pause'}`} />
              <button type="button" disabled={busy} onClick={() => void steer('stop')}>
                Stop
              </button>
              <CopyIcon text="troupe service stop" />
            </div>
          </>
        ) : (
          <>
            <p>It does not answer. Start it in the project folder; this page then reconnects.</p>
            <CopyIcon text="troupe service start" shown />
          </>
        )}
        {trouble === undefined ? null : <Failure error={trouble} />}
      </div>
    </Dialog>
  );
}

const ICONS: Readonly<Record<Theme, string>> = {
  system: 'M3 4.5h14v9H3zM7 17h6M10 13.5V17',
  light:
    'M6.5 10a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0-7 0M10 2v2M10 16v2M2 10h2M16 10h2M4.3 4.3l1.5 1.5M14.2 14.2l1.5 1.5M4.3 15.7l1.5-1.5M14.2 5.8l1.5-1.5',
  dark: 'M16.5 12A7 7 0 0 1 8 3.5a7 7 0 1 0 8.5 8.5z',
};

function ThemeSwitch() {
  const choice = useStore(theme);
  return (
    <fieldset className="themes">
      <legend className="unseen">Theme</legend>
      {THEMES.map((name) => (
        <button
          key={name}
          type="button"
          aria-pressed={name === choice}
          aria-label={`${name} theme`}
          title={`${name} theme`}
          onClick={() => chooseTheme(name)}
        >
          <svg viewBox="0 0 20 20" className="icon" aria-hidden="true">
            <path d={ICONS[name]} />
          </svg>
        </button>
      ))}
    </fieldset>
  );
}
