import type { ReactNode } from 'react';
import { ImageTransferProvider } from '../../src/views/workspace/image-transfer.tsx';
import { type Workspace, WorkspaceProvider } from '../../src/views/workspace/workspace-context.ts';
import { idOf } from './records.ts';

const edit: Workspace['edit'] = { request: () => undefined, disabledReason: () => null };

/** Renders parts of the patient workspace; give what they need of it. */
export const InWorkspace = ({ children, ...given }: Partial<Workspace> & { readonly children: ReactNode }) => (
  <WorkspaceProvider value={{ patientId: idOf(1), edit, ...given } as Workspace}>
    <ImageTransferProvider>{children}</ImageTransferProvider>
  </WorkspaceProvider>
);
