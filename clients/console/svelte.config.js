import { vitePreprocess } from '@sveltejs/vite-plugin-svelte';

export default {
  preprocess: vitePreprocess(),
  compilerOptions: {
    runes: true,
    // The same class names in every build, wherever the sources lie.
    cssHash: ({ hash, name, css }) => `s-${hash(name + css)}`,
  },
};
