import type { ReactNode } from 'react';
import type { ShownContent } from '../../app/shown-content.ts';
import type { Navigation } from '../patient/use-navigation.ts';
import type { ShownPatient } from '../shown-patient.ts';
import type { ImageStates } from '../states/use-image-states.ts';
import type { MountController } from '../viewset/use-mount-controller.ts';
import type { GradingPart, NotePart } from './display-panel.tsx';

export interface ViewerWorkspaceProps {
  readonly patient: ShownPatient;
  readonly content: ShownContent;
  /** UID of the image in the selected slot, the single image, or the active one of a comparison. */
  readonly activeUid: string | null;
  readonly navigation: Navigation;
  /** An image was pressed on the stage. */
  readonly onChoose: (imageUid: string) => void;
  /** Images whose measurements may still be unsaved; their lengths are hidden. */
  readonly pendingMarks: ReadonlySet<string>;
  /** Controller of the shown mount; null for other content. */
  readonly mount: MountController | null;
  /** The left end of the toolbar row. */
  readonly bar: ReactNode;
  /** In the display panel: of the active image first. */
  readonly notes: readonly NotePart[];
  /** Grading of the active image; null where it has no quality grade. */
  readonly grading: GradingPart | null;
  /** Presentation states of the active image; null while it can have none. */
  readonly states: ImageStates | null;
  /** Below the display panel. */
  readonly aside: ReactNode;
}
