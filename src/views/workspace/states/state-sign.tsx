import { useTranslation } from 'react-i18next';
import type { PresentationState } from '../../../../contract/presentation-states.ts';
import type { LoadedImage } from '../../../viewer/index.ts';
import { hasGraphics, useNotShown, useStateName } from './state-texts.ts';

interface StateSignProps {
  readonly state: PresentationState;
  readonly image: LoadedImage;
  readonly marksHidden: boolean;
}

/** Names on the image the state that it is shown with, and when parts of it are hidden or not shown. */
export const StateSign = ({ state, image, marksHidden }: StateSignProps) => {
  const { t } = useTranslation('viewer');
  const name = useStateName()(state);
  const isPart = useNotShown()(state, image).length > 0;
  const isHidden = marksHidden && hasGraphics(state);
  return (
    <>
      <span data-notable>{t('stateOn', { name })}</span>
      {isHidden && <span data-notable>{t('stateHidden')}</span>}
      {isPart && <span data-notable>{t('statePart')}</span>}
    </>
  );
};
