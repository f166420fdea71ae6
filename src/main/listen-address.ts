import { CertificateFiles } from '#adapters/trust/certificate-files.js';
import { TroupeError } from '#kernel/errors.js';
import type { ListenOptions } from '#surfaces/cli/host.js';
import { type ListenAddress, refuseUnprotected } from '#surfaces/http/fronts.js';

/**
 * The address of `--listen`, with the files of its certificate, which are tried. Errors: `listen_refused` without a
 * certificate for an address beyond this machine, `certificate_unusable`, `usage`.
 */
export function listenAddressOf({ address, cert, key }: ListenOptions): ListenAddress {
  const [, bracketed, plain, digits] = /^(?:\[([0-9a-f:.]+)\]|([\w.-]+)):(\d{1,5})$/i.exec(address) ?? [];
  const host = bracketed ?? plain;
  const port = Number(digits);
  if (host === undefined || port < 1 || port > 65_535)
    throw new TroupeError('usage', {
      what:
        host === undefined
          ? '--listen takes an address and a port.'
          : `--listen takes a port from 1 to 65535, not ${digits}: others must know it.`,
      hint: 'Use 0.0.0.0:8443, [::]:8443 or a name of this machine with a port.',
    });
  if ((cert === undefined) !== (key === undefined))
    throw new TroupeError('usage', { what: 'Use --tls-cert and --tls-key together.' });
  const certificate = cert === undefined || key === undefined ? undefined : new CertificateFiles({ cert, key });
  certificate?.read();
  const at: ListenAddress = { host, port, ...(certificate === undefined ? {} : { certificate }) };
  refuseUnprotected(at);
  return at;
}
