import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useAppQueries } from '../../app/queries-context.tsx';
import { LazyDetails } from '../../ui/lazy-details.tsx';
import classes from './dose.module.css';
import { DoseLoading } from './dose-loading.tsx';
import { exposureFields, useExposureText } from './dose-texts.ts';

const StatedValues = ({ id }: { readonly id: string }) => {
  const { t } = useTranslation('dose');
  const exposureText = useExposureText();
  const { data, error } = useQuery(useAppQueries().imageDose(id));
  if (!data) return <DoseLoading error={error} />;
  return (
    <dl className={classes.values}>
      {exposureFields.map((field) => (
        <div key={field} data-missing={data[field] === null || undefined}>
          <dt>{t(field)}</dt>
          <dd>{exposureText(field, data[field])}</dd>
        </div>
      ))}
    </dl>
  );
};

/** How an image was exposed, as its file states it. It stays open when another image becomes active. */
export const ImageDoseFold = ({ id }: { readonly id: string }) => (
  <LazyDetails title={useTranslation('dose').t('imageTitle')}>
    <StatedValues id={id} />
  </LazyDetails>
);
