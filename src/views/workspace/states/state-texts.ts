import { useTranslation } from 'react-i18next';
import type { PresentationState } from '../../../../contract/presentation-states.ts';
import { areaOf, isForFrame, type LoadedImage, lacksGreyValues } from '../../../viewer/index.ts';
import { formatPersonName } from '../../ui/person-name.ts';

/** Returns the name of a state: its description, else its label. */
export const useStateName = (): ((state: PresentationState) => string) => {
  const { t } = useTranslation('viewer');
  return ({ description, label }) => description ?? label ?? t('stateUnnamed');
};

/** Returns who made a state and when, and its label beside a description. */
export const stateDetails = ({ description, label, creator, createdAt }: PresentationState): string =>
  [description && label, formatPersonName(creator), createdAt?.replace('T', ' ').slice(0, 16)]
    .filter(Boolean)
    .join(' · ');

/** Returns whether anything of a state lies over the image, which is hidden with the marks. */
export const hasGraphics = ({ shutters, bitmapShutter, annotations }: PresentationState): boolean =>
  shutters.length > 0 ||
  bitmapShutter !== null ||
  annotations.some(({ graphics, texts }) => graphics.length + texts.length > 0);

/** Returns the names of what of a state is not shown on an image. */
export const useNotShown = (): ((
  state: PresentationState,
  image: LoadedImage,
  isInMount: boolean,
) => readonly string[]) => {
  const { t } = useTranslation('viewer');
  return (state, image, isInMount) => {
    const area = areaOf(state, image.frame);
    const isAreaLost = isInMount && area !== null && !state.notShown.includes('displayed-area');
    return [
      ...(isForFrame(state, image.frame) ? [] : [t('stateNot-frame')]),
      ...(lacksGreyValues(image, state) ? [t('stateNot-grey-values')] : []),
      ...state.notShown.map((part) => t(`stateNot-${part}`)),
      ...(isAreaLost ? [t('stateNot-displayed-area')] : []),
      ...(area?.isTrueSize ? [t('stateNot-true-size')] : []),
    ];
  };
};
