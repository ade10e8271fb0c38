import { useQuery } from '@tanstack/react-query';
import { useSelector } from '@xstate/react';
import { useTranslation } from 'react-i18next';
import { type Claim, hasClaim, isLimit } from '../../../contract/claims.ts';
import type { Role } from '../../../contract/roles.ts';
import type { Employee } from '../../../contract/users.ts';
import { type SessionActor, selectPermission, selectUser } from '../../machines/session/session.machine.ts';
import { useAdministration } from '../app/loaded-services.ts';
import { useMissingText } from '../language/claim-text.ts';

/** Actions on a user. */
export type UserAction = 'edit' | 'status' | 'sessions' | 'password' | 'reset' | 'two-factor' | 'move' | 'delete';

const requiredClaims: Readonly<Record<UserAction, Claim>> = {
  edit: 'user.update',
  status: 'user.change_status',
  sessions: 'user.change_status',
  password: 'user.update',
  reset: 'user.update',
  'two-factor': 'user.update',
  move: 'user.reassign_customer',
  delete: 'user.delete',
};

/** Actions that users cannot perform on themselves. */
const notToOneself: readonly UserAction[] = ['status', 'sessions', 'move', 'delete'];

/** Returns the roles that can be assigned: not above the own rank, and with no claims that the assigner lacks. */
export const rolesToGive = (roles: readonly Role[], permission: readonly string[]): readonly Role[] =>
  roles.filter(({ claims }) => claims.every((claim) => isLimit(claim) || permission.includes(claim)));

/** What the signed-in user can do with users. `disabledReason`: translated reason, or null when allowed. */
export interface UserRights {
  readonly ownId: string | null;
  readonly hasTwoFactor: boolean;
  readonly hasPasskey: boolean;
  readonly addDisabledReason: string | null;
  readonly canReadPersonalNumbers: boolean;
  /** Whether the user may choose among all clinics. */
  readonly canListClinics: boolean;
  readonly canChangeClinic: (clinicId: string) => boolean;
  readonly disabledReason: (act: UserAction, user: Employee) => string | null;
}

/**
 * Returns the rights over users by the server's rules: by claim, by rank (the server lists no role above the own), and
 * never actions that would lock the user out.
 */
export const useUserRights = (session: SessionActor): UserRights => {
  const { t } = useTranslation(['failure', 'users']);
  const missingText = useMissingText();
  const permission = useSelector(session, selectPermission);
  const own = useSelector(session, selectUser);
  const ownId = own?.id ?? null;
  const canReadRoles = hasClaim(permission, 'role.get');
  const roles = useQuery({ ...useAdministration().roles(), enabled: canReadRoles }).data;
  const without = (claim: Claim): string | null =>
    hasClaim(permission, claim) ? null : (missingText([claim]) ?? t('no-right'));
  return {
    ownId,
    hasTwoFactor: own?.twoFactorEnabled ?? false,
    hasPasskey: (own?.passkeys ?? 0) > 0,
    addDisabledReason: without('user.create'),
    canReadPersonalNumbers: hasClaim(permission, 'user.get'),
    canListClinics: hasClaim(permission, 'customer.get') && hasClaim(permission, 'customer.get_byid'),
    canChangeClinic: (clinicId) =>
      hasClaim(permission, 'customer.update') &&
      (clinicId === own?.customerId || hasClaim(permission, 'customer.get_byid')),
    disabledReason: (act, user) => {
      const lacking = without(requiredClaims[act]);
      if (lacking !== null) return lacking;
      if (user.id === ownId && act === 'password') return t('users:ownPassword');
      if (user.id === ownId && act === 'two-factor') return t('users:ownTwoFactor');
      if (user.id === ownId) return notToOneself.includes(act) ? t('own-account') : null;
      if (roles && !roles.some(({ id }) => id === user.role.id)) return t('own-rank');
      return act === 'move' && user.customerId === null ? t('cannot-move-user') : null;
    },
  };
};
