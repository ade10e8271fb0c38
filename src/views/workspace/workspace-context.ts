import { createContext, useContext } from 'react';
import type { SessionActor } from '../../machines/session/session.machine.ts';
import type { ViewerActor } from '../../machines/viewer/viewer.machine.ts';
import type { ViewsetActor } from '../../machines/viewset/viewset.machine.ts';
import type { AppContext } from '../app/app-context.tsx';
import type { EditActions } from '../app/edit-requests.ts';

/** What several parts of a patient's workspace need; it changes only with the user's rights. */
export interface Workspace extends Pick<AppContext, 'openImages' | 'pictures'> {
  readonly patientId: string;
  readonly session: SessionActor;
  readonly viewer: ViewerActor;
  readonly viewsets: ViewsetActor;
  readonly edit: EditActions;
}

const WorkspaceContext = createContext<Workspace | null>(null);
export const WorkspaceProvider = WorkspaceContext.Provider;

export const useWorkspace = (): Workspace => {
  const workspace = useContext(WorkspaceContext);
  if (!workspace) throw new Error('Workspace is used outside its provider');
  return workspace;
};
