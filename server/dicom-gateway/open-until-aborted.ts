import type { Association } from '../dimse/association/association.ts';
import type { LinkLimits } from '../dimse/association/link.ts';
import type { ProposedContext, RoleSelection } from '../dimse/pdu/associate.ts';
import { type Node, openAssociation } from '../dimse/user/open-association.ts';

interface Caller {
  readonly aeTitle: string;
  readonly limits: LinkLimits;
  readonly signal: AbortSignal;
}

/** Returns what opens associations with a node, which are aborted with `signal`. */
export const openUntilAborted =
  (node: Node, { aeTitle, limits, signal }: Caller) =>
  async (contexts: readonly ProposedContext[], roles: readonly RoleSelection[] = []): Promise<Association> => {
    const association = await openAssociation(node, aeTitle, contexts, limits, roles, signal);
    signal.addEventListener('abort', association.abort);
    void association.ended.finally(() => signal.removeEventListener('abort', association.abort));
    return association;
  };
