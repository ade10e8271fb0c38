import classes from './segmented-steps.module.css';

export interface Segment {
  readonly name: string;
  readonly state: 'done' | 'running' | 'paused' | 'waiting' | 'failed' | 'asks';
  /** 0 to 100 of a running or paused step. */
  readonly percent: number;
}

const isUnderWay = ({ state }: Segment) => state === 'running' || state === 'paused';

/** Steps of one piece of work, as a bar in as many segments. */
export const SegmentedSteps = ({
  segments,
  label,
  text,
}: {
  segments: readonly Segment[];
  label: string;
  text: string;
}) => {
  const done = segments.filter((segment) => segment.state === 'done').length;
  const running = segments.find(isUnderWay);
  const whole = segments.length ? ((done + (running ? running.percent / 100 : 0)) / segments.length) * 100 : 0;
  return (
    <div
      className={classes.bar}
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(whole)}
      aria-valuetext={text}
    >
      {segments.map((segment) => (
        <div key={segment.name} className={classes.segment} data-state={segment.state} title={segment.name}>
          <div
            className={classes.fill}
            style={{
              transform: `scaleX(${segment.state === 'waiting' ? 0 : isUnderWay(segment) ? segment.percent / 100 : 1})`,
            }}
          />
        </div>
      ))}
    </div>
  );
};
