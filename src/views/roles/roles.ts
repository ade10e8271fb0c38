import { useQuery } from '@tanstack/react-query';
import { useSelector } from '@xstate/react';
import { type Claim, mayDo } from '../../../contract/claims.ts';
import type { ProblemCode } from '../../../contract/problem.ts';
import { whyNotChangeRights, whyNotRename } from '../../../contract/role-rules.ts';
import type { Role } from '../../../contract/roles.ts';
import { type SessionActor, selectPermission, selectUser } from '../../machines/session/session.machine.ts';
import { useFailureText } from '../language/failure-text.ts';
import { useReading } from '../reading.tsx';

export type RoleDeed = 'create' | 'rename' | 'rights' | 'delete';

const claimOf: Readonly<Record<RoleDeed, Claim>> = {
  ...{ create: 'role.create', rename: 'role.update', rights: 'role.update', delete: 'role.delete' },
};

/** Who looks at the roles. */
export interface Viewer {
  readonly permission: readonly string[];
  /** The role that they hold; undefined until it is known. */
  readonly own: Role | undefined;
  /** Why they may not, in words that name the missing right; null when they may. */
  readonly barred: (deed: RoleDeed, role?: Role) => string | null;
}

/** The person at the screen among the roles that they see. */
export const useViewer = (session: SessionActor, roles: readonly Role[]): Viewer => {
  const failureText = useFailureText();
  const permission = useSelector(session, selectPermission);
  const user = useSelector(session, selectUser);
  // The name of a role may have changed since this person signed in.
  const account = useQuery(useReading().account()).data ?? user;
  const own = roles.find(({ name }) => account?.roles.includes(name));
  const rule = (deed: RoleDeed, role: Role): ProblemCode | null => {
    if (!own) return 'own-rank';
    return deed === 'rights' ? whyNotChangeRights(own, role) : whyNotRename(own, role);
  };
  return {
    permission,
    own,
    barred: (deed, role) => {
      const claim = claimOf[deed];
      if (!mayDo(permission, claim)) return failureText({ kind: 'refused', code: 'no-right', claims: [claim] });
      const code = role ? rule(deed, role) : null;
      return code && failureText({ kind: 'refused', code });
    },
  };
};
