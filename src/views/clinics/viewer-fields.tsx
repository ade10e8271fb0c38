import { ActionIcon, Button, TextInput } from '@mantine/core';
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs';
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs';
import { useTranslation } from 'react-i18next';
import {
  type StudyViewer,
  studyPlaceholder,
  studyViewersAtMost,
  viewerAddress,
  viewerNameLength,
} from '../../../contract/study-viewers.ts';
import classes from './viewer-fields.module.css';

/** Returns the validators of the two fields of a viewer. */
export const useViewerRules = () => {
  const { t } = useTranslation('clinics');
  return {
    name: (name: string) => (name.trim() === '' ? t('viewerNameMissing') : null),
    address: (address: string) =>
      viewerAddress.safeParse(address).success ? null : t('viewerAddressInvalid', { study: studyPlaceholder }),
  };
};

/** What is used of a form that has the viewers among its values. */
interface FormOfViewers {
  readonly values: { readonly viewers: readonly StudyViewer[] };
  getInputProps(path: string): object;
  insertListItem(path: 'viewers', viewer: StudyViewer): void;
  removeListItem(path: 'viewers', index: number): void;
}

/** Other viewers in which the clinic opens its studies. */
export const ViewerFields = ({ form }: { readonly form: FormOfViewers }) => {
  const { t } = useTranslation('clinics');
  const { viewers } = form.values;
  return (
    <fieldset className={classes.viewers}>
      <legend className={classes.legend}>{t('viewers')}</legend>
      <p className={classes.help}>{t('viewersHelp', { study: studyPlaceholder })}</p>
      {viewers.map((viewer, index) => (
        <div key={index} className={classes.viewer}>
          <TextInput
            label={t('viewerName')}
            required
            autoComplete="off"
            maxLength={viewerNameLength}
            {...form.getInputProps(`viewers.${index}.name`)}
          />
          <TextInput
            label={t('viewerAddress')}
            required
            autoComplete="off"
            spellCheck={false}
            {...form.getInputProps(`viewers.${index}.address`)}
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t('removeViewer', { name: viewer.name || index + 1 })}
            onClick={() => form.removeListItem('viewers', index)}
          >
            <IconTrash />
          </ActionIcon>
        </div>
      ))}
      {viewers.length < studyViewersAtMost && (
        <Button
          variant="default"
          leftSection={<IconPlus aria-hidden="true" />}
          onClick={() => form.insertListItem('viewers', { name: '', address: '' })}
        >
          {t('addViewer')}
        </Button>
      )}
    </fieldset>
  );
};
