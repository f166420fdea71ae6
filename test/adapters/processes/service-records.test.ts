import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readdirSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { ProcessTable } from '#adapters/processes/process-table.js';
import { ServiceRecords } from '#adapters/processes/service-records.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import type { ProcessIdentity } from '#ports/processes.js';
import { room } from '../../room.js';
import { verifies } from '../../verifies.js';

/** Records of several processes in one folder: each writes as the one it is given. */
function place() {
  const folder = path.join(room('runtime'), 'troupe-services');
  const table = new ProcessTable();
  const as = (self: ProcessIdentity) =>
    new ServiceRecords({ folder, processes: Object.assign(new ProcessTable(), { self: () => self }) });
  return { folder, self: table.self(), as, own: as(table.self()), files: () => readdirSync(folder).sort() };
}

/** A process that lives until it is killed. */
async function another(self: ProcessIdentity) {
  const child = spawn('sh', ['-c', 'echo; read line'], { stdio: ['pipe', 'pipe', 'ignore'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  const pid = child.pid ?? expect.unreachable();
  const start = new ProcessTable().startOf(pid) ?? expect.unreachable();
  const kill = async () => {
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
  return { identity: { ...self, pid, start }, kill };
}

const recordOf = (folder: string, since = 1) => ({ folder, socket: path.join(folder, 'daemon.sock'), since });

verifies(
  'web.pages',
  'the record of a killed service is gone with the next reader, never that of its successor',
  async () => {
    const { self, as, own, files } = place();
    const [first, second] = [room('first'), room('second')];
    const { identity, kill } = await another(self);
    const listens = ['https://box.example:8443'];
    own.write({ ...recordOf(first), port: 4_000, listens });
    as(identity).write(recordOf(second, 2));
    const all = () => own.all().sort((one, other) => one.since - other.since);
    expect(all()).toEqual([{ ...recordOf(first), port: 4_000, listens }, recordOf(second, 2)]);
    await kill();
    own.write(recordOf(second, 3));
    expect(files()).toHaveLength(3);
    expect(all()).toEqual([{ ...recordOf(first), port: 4_000, listens }, recordOf(second, 3)]);
    expect(files()).toHaveLength(2);
    own.remove({ folder: first });
    own.remove({ folder: first });
    expect(all()).toEqual([recordOf(second, 3)]);
  },
);

verifies(
  'web.pages',
  'one whose folder is gone, or whose process cannot be examined, is left out and left alone',
  () => {
    const { self, as, own, files } = place();
    const [gone, far, twice] = [room('gone'), room('far'), room('twice')];
    own.write(recordOf(gone));
    as({ ...self, host: 'elsewhere', boot: 'of-elsewhere' }).write(recordOf(far));
    // A pid of before the last boot is that of another process now.
    as({ ...self, boot: `${self.boot}-before` }).write(recordOf(twice, 7));
    own.write(recordOf(twice, 5));
    rmSync(gone, { recursive: true });
    expect(own.all()).toEqual([recordOf(twice, 5)]);
    expect(files()).toHaveLength(3);
  },
);

verifies(
  'web.pages',
  'what is no record is left out; a folder that others may enter is neither read nor written',
  () => {
    const { folder, own, files } = place();
    expect([own.all(), own.faults()], 'before the first').toEqual([[], []]);
    const here = room('here');
    own.write({ ...recordOf(here), listens: ['http://box.example:99999'] });
    const [file = ''] = files();
    expect([statSync(folder).mode & 0o777, statSync(path.join(folder, file)).mode & 0o777]).toEqual([0o700, 0o600]);
    const put = (name: string, text: string) => writeFileSync(path.join(folder, name), text);
    put('cut.json', '{"folder":');
    put('relative.json', JSON.stringify({ ...recordOf('here'), process: new ProcessTable().self() }));
    put('nameless.json', JSON.stringify(recordOf(here)));
    put('large.json', `{"x":"${'y'.repeat(WORK_LIMITS.serviceRecordBytes)}"}`);
    put('written.json.new', 'half');
    symlinkSync('/dev/zero', path.join(folder, 'endless.json'));
    mkdirSync(path.join(folder, 'folder.json'));
    expect(own.all()).toEqual([recordOf(here)]);
    put('aged.json.new', 'half');
    utimesSync(path.join(folder, 'aged.json.new'), 1, 1);
    put('ahead.json.new', 'half');
    const ahead = Date.now() / 1_000 + 3_600; // written before the clock was set back
    utimesSync(path.join(folder, 'ahead.json.new'), ahead, ahead);
    const stray = ['aged.json.new', 'ahead.json.new', 'cut', 'endless', 'folder', 'large', 'nameless', 'relative'];
    const paths = stray.map((name) => path.join(folder, name.includes('.') ? name : `${name}.json`));
    expect(own.faults()).toEqual(paths.map((one) => ({ kind: 'stray', path: one })));
    chmodSync(folder, 0o755);
    expect(own.faults()).toEqual([{ kind: 'open', path: folder }]);
    expect(own.all()).toEqual([]);
    expect(() => own.write(recordOf(here))).toThrow(expect.objectContaining({ code: 'unsafe_path' }));
    rmSync(folder, { recursive: true });
    writeFileSync(folder, '');
    expect(own.faults()).toEqual([{ kind: 'foreign', path: folder }]);
  },
);
