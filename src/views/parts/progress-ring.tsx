const radius = 8;
const round = 2 * Math.PI * radius;

/** A ring of `percent` (0 to 100) around nothing; the words stand beside it. */
export const ProgressRing = ({ percent, size = 20 }: { percent: number; size?: number }) => (
  <svg width={size} height={size} viewBox="0 0 20 20" fill="none" aria-hidden="true">
    <circle cx="10" cy="10" r={radius} stroke="var(--line)" strokeWidth="2.5" />
    <circle
      cx="10"
      cy="10"
      r={radius}
      stroke="var(--accent)"
      strokeWidth="2.5"
      strokeLinecap="round"
      strokeDasharray={`${(round * Math.min(100, Math.max(0, percent))) / 100} ${round}`}
      transform="rotate(-90 10 10)"
    />
  </svg>
);
