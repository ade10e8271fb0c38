import { expect, it } from 'vitest';
import { accountInfo, roleClaims } from '../../contract/account.ts';
import type { Route } from '../../contract/route.ts';
import type { Call } from '../../src/services/call.ts';
import { type Failure, ServiceError } from '../../src/services/failure.ts';
import { createSession } from '../../src/services/session.ts';
import { createTokens } from '../../src/services/tokens.ts';
import { memoryStore } from './archive-double.ts';

const user = { customerId: null, customerRights: { super_admin: true } };

/** An archive that fails so often before it answers; what it was asked. */
const archive = (failures: readonly Failure[]) => {
  const left = [...failures];
  const asked: string[] = [];
  const call = async ({ path }: Route) => {
    asked.push(path);
    const failure = left.shift();
    if (failure) throw new ServiceError(failure);
    return path === roleClaims.path ? [] : user;
  };
  return { call: call as Call, asked };
};
const claims = { sub: '8c2f6a55-4f9c-4f0e-9d0d-2f4f6b1c7d04', exp: 0, role: [], permission: [], customer_id: null };
const payload = Buffer.from(JSON.stringify(claims)).toString('base64url');

const sessionWith = (call: Call) =>
  createSession({
    tokens: {
      ...createTokens({ origin: 'http://localhost', store: memoryStore() }),
      current: () => ({
        ...{ access_token: `.${payload}.`, refresh_token: '' },
        ...{ token_type: '', scope: '', expires_at: 0 },
      }),
    },
    call,
    chosenClinicId: () => null,
    pausesMs: [1, 1],
  });

it('resolves an account although the line blinks, as when a page is loaded twice in a row', async () => {
  const { call, asked } = archive([{ kind: 'offline' }, { kind: 'offline' }]);
  expect(await sessionWith(call).resolve()).toMatchObject({ user, clinic: null });
  expect(asked).toEqual([roleClaims.path, roleClaims.path, roleClaims.path, accountInfo.path]);
});

it('gives up when nobody answers in the end, and at once when the archive refuses', async () => {
  const silent = archive(Array.from({ length: 9 }, () => ({ kind: 'offline' }) as const));
  await expect(sessionWith(silent.call).resolve()).rejects.toMatchObject({ failure: { kind: 'offline' } });
  expect(silent.asked).toHaveLength(3);
  const refusing = archive([{ kind: 'refused', status: 403, code: 'account-inactive', errors: [] }]);
  await expect(sessionWith(refusing.call).resolve()).rejects.toMatchObject({ failure: { status: 403 } });
  expect(refusing.asked).toHaveLength(1);
});
