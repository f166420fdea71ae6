import { execFileSync } from 'node:child_process';
import { chmodSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { room } from './room.js';

/** A certificate for these names, signed by itself, and its key, in two files. */
export function selfSigned(names: string): { cert: string; key: string } {
  const folder = room('tls');
  const [cert, key] = [path.join(folder, 'cert.pem'), path.join(folder, 'key.pem')];
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  const subject = ['-subj', '/CN=troupe', '-addext', `subjectAltName=${names}`];
  execFileSync('openssl', ['req', ...kind, ...subject, '-keyout', key, '-out', cert], { stdio: 'pipe' });
  chmodSync(key, 0o600);
  return { cert, key };
}

/** A port that nothing listens at. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}
