import { Button, Radio, Textarea, TextInput } from '@mantine/core';
import '@mantine/core/styles/Radio.css';
import { useForm } from '@mantine/form';
import { useTranslation } from 'react-i18next';
import { type MonitorQuestion, maxMonitorComment, monitorQuestions } from '../../../contract/monitor-checks.ts';
import { useAppQueries } from '../app/queries-context.tsx';
import { useFieldRules, useFormSubmit } from '../forms/use-form-submit.ts';
import { today } from '../ui/dates.ts';
import { IconAlert } from '../ui/icon-alert.tsx';
import { toast } from '../ui/toast.ts';
import classes from './monitor.module.css';
import { rememberWorkstation, useWorkstation } from './workstation-name.ts';

type Answer = 'yes' | 'no' | '';
type Answers = Record<MonitorQuestion, Answer>;

const unanswered: Answers = { lines: '', squares: '', patches: '', ramp: '', letters: '' };
/** Unsaved answers need no warning when the page is left. */
const ignoreDirty = () => undefined;

interface CheckFormProps {
  readonly clinicId: string;
  /** Returns the present size of the pattern in device pixels. */
  readonly patternSize: () => { readonly width: number; readonly height: number };
}

/** Asks for the name of the workstation and what the user sees, and saves the answers. */
export const CheckForm = ({ clinicId, patternSize }: CheckFormProps) => {
  const { t } = useTranslation(['monitor', 'shell']);
  const queries = useAppQueries();
  const rules = useFieldRules();
  const missingAnswerError = (answer: Answer) => (answer === '' ? t('answerMissing') : null);
  const form = useForm({
    initialValues: { workstation: useWorkstation(), comment: '', ...unanswered },
    validate: {
      ...Object.fromEntries(monitorQuestions.map((question) => [question, missingAnswerError])),
      workstation: rules.required('workstation'),
    },
  });
  const { sending, submit } = useFormSubmit(form, ignoreDirty);

  const save = async ({ workstation, comment, ...answers }: typeof form.values) => {
    const { width, height } = patternSize();
    const saved = await queries.addMonitorCheck({
      customerId: clinicId,
      workstation,
      day: today(),
      answers: {
        lines: answers.lines === 'yes',
        squares: answers.squares === 'yes',
        patches: answers.patches === 'yes',
        ramp: answers.ramp === 'yes',
        letters: answers.letters === 'yes',
      },
      comment,
      widthPx: width,
      heightPx: height,
      pixelRatio: window.devicePixelRatio,
    });
    rememberWorkstation(saved.workstation);
    form.setValues({ workstation: saved.workstation, comment: '', ...unanswered });
    toast({ tone: 'good', text: t('saved'), close: t('shell:close') });
  };
  return (
    <form className={classes.form} aria-label={t('questions')} noValidate onSubmit={submit(save)}>
      {monitorQuestions.map((question) => {
        // The first button, not the group, gets the focus when the answer is missing.
        const { 'data-path': path, ...input }: Record<string, unknown> = { ...form.getInputProps(question) };
        return (
          <Radio.Group key={question} label={t(`see-${question}`)} {...input}>
            <div className={classes.answers}>
              <Radio value="yes" label={t('yes')} data-path={path} />
              <Radio value="no" label={t('no')} />
            </div>
          </Radio.Group>
        );
      })}
      <Textarea
        label={t('comment')}
        autosize
        minRows={1}
        maxRows={5}
        maxLength={maxMonitorComment}
        {...form.getInputProps('comment')}
      />
      <TextInput
        label={t('workstation')}
        description={t('workstationHelp')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        autoComplete="off"
        {...form.getInputProps('workstation')}
      />
      {sending.failure && <IconAlert>{sending.failure}</IconAlert>}
      <div>
        <Button type="submit" loading={sending.busy}>
          {t('save')}
        </Button>
      </div>
    </form>
  );
};
