import { useEffect, useState, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { watchDeviceSize } from '../../../viewer/device-size.ts';
import type { Scene, StageTexts } from '../../../viewer/index.ts';
import { toast } from '../../ui/toast.ts';
import { useStage } from '../viewer/use-stage.ts';
import { useWorkspace } from '../workspace-context.ts';
import { type Box, sceneForSize } from './scene-for-size.ts';
import { secondWindow } from './second-window.ts';

/** The size of an element of another window, in device pixels; null without an element. */
const useBox = (host: HTMLElement | null): Box | null => {
  const [box, setBox] = useState<Box | null>(null);
  useEffect(() => (host ? watchDeviceSize(host, setBox) : setBox(null)), [host]);
  return box;
};

/**
 * Shows a scene in the second window, if it is open for this patient. It is empty at once when the patient is left.
 * @param stage size of the stage of the page, in CSS pixels
 * @returns whether it is shown, and a function that opens the window or closes it
 */
export const useSecondWindow = (scene: Scene, stage: Box, words: StageTexts) => {
  const { t, i18n } = useTranslation(['viewer', 'shell']);
  const { patientId, openImages } = useWorkspace();
  const presentation = useSyncExternalStore(secondWindow.subscribe, secondWindow.now);
  const isShown = presentation?.patientId === patientId;
  const host = isShown ? presentation.host : null;
  const box = useBox(host);
  const { open } = useStage(host, openImages, { label: t('image'), words, locale: i18n.language }, 0);
  const { width, height } = stage;
  useEffect(() => {
    const ratio = window.devicePixelRatio;
    if (open && box && width > 0)
      open.stage.show(sceneForSize(scene, { width: width * ratio, height: height * ratio }, box));
  }, [open, box, scene, width, height]);
  const toggle = () => {
    if (isShown) return secondWindow.close();
    if (!secondWindow.present(patientId, t('tool-secondWindow')))
      toast({ tone: 'bad', text: t('secondWindowBlocked'), close: t('shell:close') });
  };
  return { isShown, toggle };
};
