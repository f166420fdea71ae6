import { inert } from '#kernel/text.js';
import type { Answer } from '#surfaces/http/contract.js';
import { useAction } from '../../data/action.js';
import { nowResource, Resource, useResource } from '../../data/resource.js';
import { Store, useStore } from '../../data/store.js';
import { useRefusal } from '../../data/visitor.js';
import { CopyIcon } from '../../shell/CopyIcon.js';
import { Sentence } from '../../shell/Sentence.js';
import { Failure, Skeleton } from '../../shell/Skeleton.js';
import { SettingList } from './SettingList.js';
import { saveSetting, settingsResource, typedOf } from './settings.js';

type Executor = Answer<'executor.list'>['executors'][number];

const SIGN_IN = {
  key: 'a key is set',
  login: 'signed in',
  'not-seen': 'no login seen',
} as const satisfies Record<NonNullable<Executor['signed_in']>, string>;

/** Each program is asked for its version, so it is asked again only by a person. */
const WITHOUT_NEWS = new Store(0);
const executorsResource = new Resource<Answer<'executor.list'>>('executors');

/** Clients of this machine; one of them does the tasks without a command. */
export function Clients() {
  const { answer, error } = useResource(executorsResource, undefined, WITHOUT_NEWS);
  const settings = useStore(settingsResource.state).answer;
  const { held_clients: held = [] } = useResource(nowResource).answer ?? {};
  const { busy, trouble, run } = useAction();
  const refusal = useRefusal();
  const usual = settings?.settings.find(({ key }) => key === 'coordinator.executor');
  if (answer === undefined) return error === undefined ? <Skeleton rows={4} /> : <Failure error={error} />;
  const known = answer.executors.filter(({ name, human }) => name !== 'shell' && !human);
  const rows = [...known].sort((left, right) => Number(right.usable) - Number(left.usable));
  return (
    <>
      <ul className="clients">
        {rows.map((row) => {
          const isUsual = usual !== undefined && typedOf(usual) === row.name;
          const hold = held.find(({ client }) => client === row.name);
          return (
            <li key={row.name} className={row.usable ? 'client' : 'client is-away'}>
              <span className="client-name">
                {inert(row.name)}
                {isUsual ? <span className="client-usual">default</span> : null}
              </span>
              <span className="client-facts">
                <Sentence text={factsOf(row)} />
                {hold === undefined ? null : <strong> {inert(hold.text)}</strong>}
              </span>
              <span className="client-acts">
                {isUsual || usual === undefined ? null : (
                  <button
                    type="button"
                    aria-label={`Make default: ${inert(row.name)}`}
                    disabled={busy || refusal !== undefined || !row.usable}
                    onClick={() => void run(() => saveSetting(usual, row.name))}
                  >
                    Make default
                  </button>
                )}
                {row.usable ? <CopyIcon text={`troupe setup --executor ${row.name} --try`} /> : null}
              </span>
            </li>
          );
        })}
      </ul>
      {trouble === undefined ? null : <Failure error={trouble} />}
      <div className="buttons">
        <button type="button" onClick={() => void executorsResource.load()}>
          Look again
        </button>
        <span className="muted">Looks for each program, asks its version, and whether it is signed in.</span>
      </div>
      <SettingList keys={['coordinator.model', 'coordinator.fallback', 'clients.sandbox']} />
    </>
  );
}

function factsOf({ usable, problem, version, signed_in: signedIn, own, command }: Executor): string {
  if (!usable) return problem ?? 'cannot be used';
  return [
    version,
    signedIn === undefined ? undefined : SIGN_IN[signedIn],
    own,
    command === undefined ? undefined : command.join(' '),
  ]
    .filter((fact) => fact !== undefined)
    .join(' · ');
}
