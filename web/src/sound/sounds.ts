/**
 * The page's sounds, synthesised with WebAudio: knocks for moves, bells for the rest. No files are loaded.
 *
 * Browsers allow sound only after the first user input; until then nothing is played and nothing fails.
 */
import type { Sound } from "../state/announcements";

let context: AudioContext | null = null;

function awake(): AudioContext | null {
  if (typeof AudioContext === "undefined" || !navigator.userActivation?.hasBeenActive) return null;
  context ??= new AudioContext();
  if (context.state === "suspended") void context.resume().catch(() => undefined);
  return context;
}

/** A knock: a short burst of noise through a narrow band. */
function knock(audio: AudioContext, at: number, pitch: number, loud: number): void {
  const length = Math.floor(audio.sampleRate * 0.06);
  const buffer = audio.createBuffer(1, length, audio.sampleRate);
  const data = buffer.getChannelData(0);
  for (let index = 0; index < length; index += 1) data[index] = (Math.random() * 2 - 1) * (1 - index / length) ** 6;
  const source = audio.createBufferSource();
  source.buffer = buffer;
  const band = audio.createBiquadFilter();
  band.type = "bandpass";
  band.frequency.value = pitch;
  band.Q.value = 1.2;
  const gain = audio.createGain();
  gain.gain.value = loud;
  source.connect(band).connect(gain).connect(audio.destination);
  source.start(at);
}

/** A tone that dies away. */
function bell(audio: AudioContext, at: number, pitch: number, seconds: number, loud: number): void {
  const tone = audio.createOscillator();
  tone.type = "sine";
  tone.frequency.value = pitch;
  const gain = audio.createGain();
  gain.gain.setValueAtTime(0, at);
  gain.gain.linearRampToValueAtTime(loud, at + 0.008);
  gain.gain.exponentialRampToValueAtTime(0.0001, at + seconds);
  tone.connect(gain).connect(audio.destination);
  tone.start(at);
  tone.stop(at + seconds);
}

export function playSound(sound: Sound): void {
  const audio = awake();
  if (!audio) return;
  const now = audio.currentTime;
  switch (sound) {
    case "move":
      knock(audio, now, 900, 1.1);
      break;
    case "capture":
      knock(audio, now, 1300, 1.2);
      knock(audio, now + 0.045, 700, 1);
      break;
    case "check":
      knock(audio, now, 900, 1.1);
      bell(audio, now + 0.02, 740, 0.25, 0.12);
      break;
    case "offer":
      bell(audio, now, 587, 0.3, 0.12);
      bell(audio, now + 0.12, 784, 0.35, 0.12);
      break;
    case "begin":
      bell(audio, now, 523, 0.3, 0.12);
      bell(audio, now + 0.11, 659, 0.3, 0.12);
      bell(audio, now + 0.22, 784, 0.45, 0.12);
      break;
    case "end":
      bell(audio, now, 784, 0.4, 0.12);
      bell(audio, now + 0.16, 523, 0.7, 0.14);
      break;
    case "chat":
      bell(audio, now, 1175, 0.12, 0.05);
      break;
    case "low":
      bell(audio, now, 988, 0.12, 0.14);
      bell(audio, now + 0.16, 988, 0.12, 0.14);
      break;
  }
}
