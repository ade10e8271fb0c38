import { startAuthentication, startRegistration } from '@simplewebauthn/browser';
import type {
  PasskeyAssertion,
  PasskeyAttestation,
  PasskeyCreation,
  PasskeyRequest,
} from '../../contract/passkey-messages.ts';
import type { ProblemCode } from '../../contract/problem.ts';
import { ServiceError } from './failure.ts';

/** Errors of the browser (Web Authentication, sections 5.1.3.1 and 5.1.4.2) as those of the archive. */
const codes: Readonly<Record<string, ProblemCode>> = {
  NotAllowedError: 'sign-in-cancelled',
  AbortError: 'sign-in-cancelled',
  InvalidStateError: 'conflict',
  SecurityError: 'passkey-unavailable',
};

const refusedBy = (cause: unknown): ServiceError => {
  const code = cause instanceof Error ? codes[cause.name] : undefined;
  const failure = code
    ? ({ kind: 'refused', status: 400, code, errors: [] } as const)
    : ({ kind: 'unexpected' } as const);
  return new ServiceError(failure, { cause });
};

/** Asks the user for a passkey. @throws ServiceError 'sign-in-cancelled', also when it took too long; 'passkey-unavailable' */
export const askForPasskey = async (optionsJSON: PasskeyRequest): Promise<PasskeyAssertion> => {
  const { id, rawId, response } = await startAuthentication({ optionsJSON }).catch((error: unknown) => {
    throw refusedBy(error);
  });
  return { id, rawId, type: 'public-key', response };
};

/** Creates a passkey. @throws ServiceError as `askForPasskey`; 'conflict' when the device has one for the account */
export const createPasskey = async (optionsJSON: PasskeyCreation): Promise<PasskeyAttestation> => {
  const { id, rawId, response } = await startRegistration({ optionsJSON }).catch((error: unknown) => {
    throw refusedBy(error);
  });
  const { clientDataJSON, attestationObject, transports = [] } = response;
  return { id, rawId, type: 'public-key', response: { clientDataJSON, attestationObject, transports } };
};

export interface PasskeyCalls {
  readonly askForPasskey: typeof askForPasskey;
  readonly createPasskey: typeof createPasskey;
}
