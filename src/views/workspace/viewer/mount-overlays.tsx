import type { ShownContent } from '../../app/shown-content.ts';
import { MountOverlay } from '../viewset/mount-overlay.tsx';
import { mountPairLayout } from '../viewset/mount-pair-layout.ts';
import { MountPairOverlay } from '../viewset/mount-pair-overlay.tsx';
import type { MountController } from '../viewset/use-mount-controller.ts';
import { type OpenStage, useStageStore } from './use-stage.ts';

interface MountOverlaysProps {
  readonly content: ShownContent;
  readonly open: OpenStage;
  /** Controller of a mount that is shown alone; null for other content. */
  readonly mount: MountController | null;
  /** Of the stage, in CSS pixels. */
  readonly size: { readonly width: number; readonly height: number };
  readonly activeUid: string | null;
  readonly onChoose: (imageUid: string) => void;
  readonly onOpen: (imageUid: string) => void;
}

/** The slots of the shown mount or mounts above the canvas, once they have a place on it. */
export const MountOverlays = ({ content, open, mount, size, activeUid, onChoose, onOpen }: MountOverlaysProps) => {
  const { stage, store } = open;
  // Only whether it is known: the overlays follow the transform without React renders.
  const isPlaced = useStageStore(store, (store) => store.mountTransform() !== null);
  const transform = isPlaced ? store.mountTransform() : null;
  const isDrawn = (imageUid: string) => store.drawn(imageUid) !== null;
  if (!transform) return null;
  if (content.kind === 'mounts')
    return (
      <MountPairOverlay
        content={content}
        parts={mountPairLayout(content.viewsets, size).parts}
        stage={stage}
        transform={transform}
        isDrawn={isDrawn}
        activeUid={activeUid}
        onChoose={onChoose}
        onOpen={onOpen}
      />
    );
  return (
    mount && <MountOverlay controller={mount} stage={stage} transform={transform} isDrawn={isDrawn} onOpen={onOpen} />
  );
};
