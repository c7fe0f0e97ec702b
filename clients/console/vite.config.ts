import { fileURLToPath } from 'node:url';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig, type Plugin } from 'vite';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

// The package's verifier is written for Node: Buffer comes from the page.
const verifier = (): Plugin => ({
  name: 'skald-verifier',
  enforce: 'pre',
  transform: (code, id) => (id.includes('/typescript/verify/') && /\bBuffer\b/.test(code) ? `import { Buffer } from 'node:crypto';\n${code}` : undefined),
});

export default defineConfig({
  // Relative addresses: the page works under any base path.
  base: './',
  plugins: [svelte(), verifier()],
  resolve: {
    alias: { $gen: here('../typescript/src/gen/skald'), $client: here('../typescript/src'), $verify: here('../typescript/verify'), 'node:crypto': here('src/lib/node-crypto.ts'), $lib: here('src/lib') },
    // The client package brings no copies of its own.
    dedupe: ['@bufbuild/protobuf', '@connectrpc/connect', '@connectrpc/connect-web', '@noble/hashes'],
  },
  build: {
    outDir: here('../../cmd/skald/internal/console/dist'),
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rollupOptions: {
      output: {
        entryFileNames: 'assets/[name]-[hash].js',
        chunkFileNames: 'assets/[name]-[hash].js',
        assetFileNames: 'assets/[name]-[hash][extname]',
      },
    },
  },
});
