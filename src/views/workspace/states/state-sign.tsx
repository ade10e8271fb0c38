import { useTranslation } from 'react-i18next';
import type { PresentationState } from '../../../../contract/presentation-states.ts';
import { areaOf, isForFrame, type LoadedImage, type View } from '../../../viewer/index.ts';
import { hasGraphics, useNotShown, useStateName } from './state-texts.ts';

interface StateSignProps {
  readonly state: PresentationState;
  readonly image: LoadedImage;
  /** Null in a mount, which shows every image whole. */
  readonly view: View | null;
  readonly marksHidden: boolean;
}

/** Names on the image the state that it is shown with, and when parts of it are hidden or not shown. */
export const StateSign = ({ state, image, view, marksHidden }: StateSignProps) => {
  const { t } = useTranslation('viewer');
  const name = useStateName()(state);
  const isPart = useNotShown()(state, image, view === null).length > 0;
  const isHidden = marksHidden && hasGraphics(state);
  const isSection = view === 'area' && isForFrame(state, image.frame) && areaOf(state, image.frame) !== null;
  return (
    <>
      <span data-notable>{t('stateOn', { name })}</span>
      {isHidden && <span data-notable>{t('stateHidden')}</span>}
      {isSection && <span data-notable>{t('stateSection')}</span>}
      {isPart && <span data-notable>{t('statePart')}</span>}
    </>
  );
};
