import { useQuery } from '@tanstack/react-query';
import { useSelector } from '@xstate/react';
import { useTranslation } from 'react-i18next';
import { type Claim, isLimit, mayDo } from '../../../contract/claims.ts';
import type { Role } from '../../../contract/roles.ts';
import type { Employee } from '../../../contract/users.ts';
import { type SessionActor, selectPermission, selectUser } from '../../machines/session/session.machine.ts';
import { useAdministration } from '../administration.ts';
import { useMissingText } from '../language/claim-text.ts';

/** What can be done to a person. */
export type PersonAct = 'edit' | 'status' | 'password' | 'reset' | 'move' | 'delete';

const wanted: Readonly<Record<PersonAct, Claim>> = {
  edit: 'user.update',
  status: 'user.change_status',
  password: 'user.update',
  reset: 'user.update',
  move: 'user.reassign_customer',
  delete: 'user.delete',
};

/** What nobody does to themself. */
const notToOneself: readonly PersonAct[] = ['status', 'move', 'delete'];

/** Roles that the holder of these rights may give: none above their own rank, and none that may do what they may not. */
export const rolesToGive = (roles: readonly Role[], permission: readonly string[]): readonly Role[] =>
  roles.filter(({ claims }) => claims.every((claim) => isLimit(claim) || permission.includes(claim)));

/** What the person at the screen may do to people. `barred`: why not, in words; null when they may. */
export interface PeopleRights {
  readonly ownId: string | null;
  readonly mayAdd: string | null;
  readonly mayReadNumbers: boolean;
  readonly barred: (act: PersonAct, person: Employee) => string | null;
}

/**
 * The rights over people, as the archive judges them: by claim, by rank (the archive lists no role above one's own), and nothing that would shut
 * out oneself.
 */
export const usePeopleRights = (session: SessionActor): PeopleRights => {
  const { t } = useTranslation('failure');
  const missingText = useMissingText();
  const permission = useSelector(session, selectPermission);
  const ownId = useSelector(session, selectUser)?.id ?? null;
  const mayReadRoles = mayDo(permission, 'role.get');
  const roles = useQuery({ ...useAdministration().roles(), enabled: mayReadRoles }).data;
  const without = (claim: Claim): string | null =>
    mayDo(permission, claim) ? null : (missingText([claim]) ?? t('no-right'));
  return {
    ownId,
    mayAdd: without('user.create'),
    mayReadNumbers: mayDo(permission, 'user.get'),
    barred: (act, person) => {
      const lacking = without(wanted[act]);
      if (lacking !== null) return lacking;
      if (person.id === ownId) return notToOneself.includes(act) ? t('own-account') : null;
      if (roles && !roles.some(({ id }) => id === person.role.id)) return t('own-rank');
      return act === 'move' && person.customerId === null ? t('cannot-move-user') : null;
    },
  };
};
