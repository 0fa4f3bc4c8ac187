# The one list of tasks. Needs only make and a Python of at least 3.11; sets up the rest itself.

PROFILE ?= quick
SITE ?= site
# What a person has set goes through the environment as it is: no shell reads it, nor does make.
SETTINGS := PROFILE FRESH ONLY INTERPRETERS MACHINE MEASURE RESULTS FAILURES SITE SITE_URL \
	REPOSITORY_URL MEASURED FROM DO NAME
$(foreach name,$(SETTINGS),$(if $(value $(name)),$(eval override $(name) := $$(value $(name)))))
export $(SETTINGS)
# What anybody has set for other Pythons is not for ours.
unexport PYTHONHOME PYTHONINSPECT PYTHONOPTIMIZE PYTHONPATH PYTHONWARNINGS
export NO_MKDOCS_2_WARNING = 1
export DISABLE_MKDOCS_2_WARNING = true

BIN := .venv/bin
BROWSERS := chromium chromium-browser google-chrome google-chrome-stable
# Each notes the Python and the pins that it is of, and is made again where these are others now. A copy's
# files may have any date. TOOLS has what tests and checks take on top.
READY := .venv/ready
TOOL := scripts/poolwise
TOOLS := .venv/tools
describe = $(BIN)/python -V 2>&1; cat .python-version requirements/uv.txt requirements/$1.txt $(TOOL)/pyproject.toml | cksum
is_current = $(shell test -e $1 && { $(call describe,$2); } 2>/dev/null | cmp -s - $1 && echo yes)
ifneq ($(call is_current,$(READY),site),yes)
.PHONY: $(READY)
endif
ifneq ($(call is_current,$(TOOLS),dev),yes)
.PHONY: $(TOOLS)
endif
# What measures has nothing beside it; what takes longer starts programs or commands, needs the built
# site, shows pages from records, or draws trials by the thousand; so does what is marked as slow.
ALONE := scripts/poolwise/tests/test_process.py scripts/poolwise/tests/test_samplers.py
LONG := tests/examples tests/browser tests/site/test_main.py tests/site/test_pictures.py \
	tests/site/test_signals.py \
	tests/site/study/test_snippets.py tests/site/study/test_timeline.py \
	bench/test_simulation.py \
	$(patsubst %,$(TOOL)/tests/test_%.py,attempt cases commands lag main measure suggestion trace)
# What draws charts, which takes as long as all else that is left.
DRAWN := $(patsubst %,tests/site/render/test_%.py,charts plot svg timeline)
# Also whoever wants no compiled files has the tests' own kept: each process would make them anew.
PYTEST := PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest
# What shares a file runs in one process, see tests/conftest.py; what takes long where there is room.
# All of it waits for programs and browsers half of its time, and so has two processes a core.
TOGETHER := --dist loadscope
CONFIG := $(firstword $(wildcard mkdocs.$(LANG).yml) mkdocs.yml)

# The first that .python-version asks for and is there, else the newest that will do.
FIND_PYTHON = for version in $$(cat .python-version) 3.15 3.14 3.13 3.12 3.11 3; do \
	python$$version -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && \
	echo python$$version && break; done

.DEFAULT_GOAL := help
.PHONY: help site serve measure mine releases contribute merge test check format experiment parity reviewed offline bench exit faults wheel lock clean

help: ## list the targets
	@sed -n 's/^\([a-z]*\):.*## /  make \1	/p' Makefile | expand -t 18
	@echo 'Variables: PROFILE=smoke|quick|full FRESH=1 ONLY=pattern FAILURES=stop|tell'
	@echo '           INTERPRETERS=auto|current|3.14t,… MACHINE=id SITE=folder'

site: $(READY) ## measure what has no valid record, build every language into site/
	@$(BIN)/python -m scripts.site site

serve: $(READY) ## live preview from stored records; LANG=ru for Russian
	@case $$LANG in ""|en*|C|C.*|POSIX) ;; *) test -e mkdocs.$$LANG.yml || \
	  echo "There are no pages in LANG=$$LANG: serving English." >&2 ;; esac
	@MEASURE=0 $(BIN)/mkdocs serve --dirty --no-strict --config-file $(CONFIG)

measure: $(READY) ## only measure; Ctrl-C keeps what is done, the next run goes on
	@$(BIN)/python -m scripts.site measure

mine: $(READY) ## compare your programs, try your function: DO='compare a.py b.py'
	@$(BIN)/python -m scripts.site mine

releases: $(READY) ## compare releases of Python built alike: INTERPRETERS=path,path,…
	@$(BIN)/python -m scripts.site releases

contribute: $(READY) ## check this machine's records, remove what is private, say how to send them
	@$(BIN)/python -m scripts.site contribute

merge: $(READY) ## check the results files in the folders of FROM, copy them into RESULTS
	@$(BIN)/python -m scripts.site merge -- $$FROM

test: $(TOOLS) ## all tests; FAST=1: no measuring, chart, site, browser; ALL=1: every page by axe
ifdef FAST
	@$(PYTEST) -n logical $(TOGETHER) -p no:playwright -m "not slow" $(patsubst %,--ignore=%,$(ALONE) $(LONG) $(DRAWN))
else
	@test -n "$(CHROMIUM)" || { for browser in $(BROWSERS); do \
	  command -v $$browser >/dev/null && exit; done; $(BIN)/playwright install chromium; }
	@$(PYTEST) $(ALONE)
	@$(PYTEST) -n $$((2 * $$(getconf _NPROCESSORS_ONLN))) --maxprocesses 16 $(TOGETHER) \
	  --no-loadscope-reorder --cov --cov-report= $(ALONE:%=--ignore=%)
endif

# Declarations and pages come first: a mistake in them is told in seconds.
check: $(TOOLS) ## pages, links, lessons, format, lint, types, imports between stages, workflows
	$(BIN)/python -m scripts.site check
	$(BIN)/python examples/lessons/authors.py
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/codespell
	$(BIN)/check-jsonschema --builtin-schema vendor.github-workflows .github/workflows/*.yml
	$(BIN)/check-jsonschema --builtin-schema vendor.github-issue-forms \
	  .github/ISSUE_TEMPLATE/*.yml
	$(BIN)/check-jsonschema --builtin-schema vendor.citation-file-format CITATION.cff
	test ! -x $(BIN)/biome || $(BIN)/biome lint --error-on-warnings docs/theme/assets
	$(BIN)/zizmor --offline --quiet .github
	! command -v actionlint >/dev/null || actionlint -ignore 'call "\$$/'

format: $(TOOLS) ## format the code
	@$(BIN)/ruff format . && $(BIN)/ruff check --fix .

# Sentences stay those of the sample: whoever changes them has read them.
experiment: ## create a small experiment for you to change: NAME=sorting
	@case "$$NAME" in ""|*[!a-z0-9-]*) \
	  echo 'NAME is letters a to z, digits and dashes: make experiment NAME=sorting' >&2; exit 2 ;; esac; \
	for path in "examples/$$NAME" docs/*/"$$NAME.md"; do \
	  test ! -e "$$path" || { echo "$$path is there already" >&2; exit 2; }; done; \
	set -e; sample=tests/browser/addition; mkdir "examples/$$NAME"; \
	title=$$(echo "$$NAME" | awk '{ gsub("-", " "); print toupper(substr($$0, 1, 1)) substr($$0, 2) }'); \
	fill() { sed -e "s/\"squares/\"$$NAME/g" -e "s/\"Squares\"/\"$$title\"/" -e "s/\"Квадраты\"/\"$$title\"/" \
	  -e "s/^title: .*/title: $$title/" -e "s/^# .* {#top}/# $$title {#top}/" "$$1"; }; \
	for file in $$sample/examples/squares/*.*; do fill "$$file" >"examples/$$NAME/$${file##*/}"; done; \
	for folder in $$sample/docs/*; do \
	  fill "$$folder/squares.md" >"docs/$${folder##*/}/$$NAME.md"; done; \
	echo "Change examples/$$NAME and docs/*/$$NAME.md, then run: make parity reviewed"

parity: $(TOOLS) ## note that both languages of each page agree again, list new addresses
	@$(BIN)/python -m scripts.site parity

reviewed: $(TOOLS) ## note that you have read each changed claim against its condition
	@$(BIN)/python -m scripts.site reviewed

offline: $(READY) ## the built site as one archive that needs no server, its data as another, in SITE
	@$(BIN)/python -m scripts.site offline

bench: $(TOOLS) ## our own speed, accuracy, tests and page budgets
	@$(BIN)/python -m bench

exit: $(READY) ## build the pages with what may follow MkDocs; how many differ
	@place=.cache/exit && python=$$place/bin/python && \
	$(BIN)/uv venv --quiet --allow-existing --python $(BIN)/python $$place && \
	$(BIN)/uv pip install --quiet --python $$python --require-hashes -r requirements/exit.txt && \
	printf '../../../../../%s\n' . $(TOOL)/src >$$(echo $$place/lib/python3*/site-packages)/_repository.pth && \
	$$python -m bench.exit

faults: $(TOOLS) ## kill builds, fill disks, damage files; report what was lost
	@$(BIN)/python -m bench.faults

# The wheel and the sdist are tried where nothing of this repository is, with the pinned packages or, by uv's
# RESOLUTION=highest or lowest-direct, with others; ALL=1 adds the tests that take long.
wheel: $(READY) ## pack the tool, test the package without this repository; PYTHON=3.12 ALL=1
	@place=$$(mktemp -d) && trap 'rm -rf "$$place"' EXIT && set -e && \
	$(BIN)/uv build --quiet --python $(BIN)/python --out-dir $$place $(TOOL) && \
	tar -xzf $$place/*.tar.gz -C $$place && cd $$place/poolwise-*/ && rm -r src && \
	python=$$place/venv/bin/python uv=$(CURDIR)/$(BIN)/uv && \
	$$uv venv --quiet --python $(or $(PYTHON),$(CURDIR)/$(BIN)/python) $$place/venv && \
	$$uv pip install --quiet --python $$python "$$(echo $$place/*.whl)[test]" \
	  $(if $(RESOLUTION),--resolution $(RESOLUTION),--constraints $(CURDIR)/requirements/dev.txt) && \
	$$place/venv/bin/poolwise --help >/dev/null && $$python -m pytest $(if $(ALL),,-m "not slow" \
	  $(patsubst $(TOOL)/%,--ignore=%,$(filter-out %commands.py %main.py %measure.py %trace.py,$(filter $(TOOL)/%,$(ALONE) $(LONG)))))

# The programs run on older Pythons than the site is built with, where nothing is compiled. Pins stay
# as they are unless they are asked to rise: a record is valid for those of the packages it is of.
lock: $(TOOLS) ## pin new requirements; UPGRADE=1 pins the newest version of all
	@for name in uv examples site dev exit; do \
	  case $$name in examples) for='3.6 --only-binary :all:' ;; *) for=3.11 ;; esac; \
	  $(BIN)/uv pip compile --quiet --universal --python-version $$for --generate-hashes --no-header \
	    --no-annotate --no-emit-index-url $(if $(UPGRADE),--upgrade) \
	    -o requirements/$$name.txt requirements/$$name.in || exit 1; \
	done

clean: ## remove site/ and the environment; keep records and other SITE folders
	@rm -rf .cache .venv .venvs build site

install = $(BIN)/uv pip install --quiet --compile-bytecode --python $(BIN)/python --require-hashes \
	-r requirements/uv.txt -r requirements/$1.txt && \
	$(BIN)/uv pip install --quiet --offline --no-deps --no-build-isolation --python $(BIN)/python \
	--editable ./$(TOOL) && { $(call describe,$1); } >$@

# What is installed already needs no network. The path file makes scripts/ and the tool importable. Its paths
# are relative and come first, so a checkout that was moved or copied imports its own, whatever its name.
$(READY):
	@python=$$($(FIND_PYTHON)); \
	test -n "$$python" || { echo 'No Python of at least 3.11 was found.' >&2; exit 1; }; \
	{ test -x $(BIN)/python && read -r made <$@ && test "$$made" = "$$($$python -V)"; } 2>/dev/null || { \
	  said=$$(mkdir -p .venv 2>&1) || { \
	    echo "$$PWD cannot be written to, and .venv has to be made there: $$said" >&2; exit 1; }; \
	  echo "setting up .venv with $$python" >&2; \
	  $$python -m venv --clear .venv >/dev/null 2>&1 || { rm -rf .venv; \
	  echo "$$python cannot make an environment; install its venv package," \
	    "on Debian and Ubuntu: apt install $$python-venv" >&2; exit 1; }; }
	@test -x $(BIN)/uv || \
	  $(BIN)/python -m pip install --quiet --require-hashes -r requirements/uv.txt
	@cd .venv/lib/python3*/site-packages && rm -f repository.pth && \
	  printf '../../../../%s\n' . $(TOOL)/src >_repository.pth
	@$(call install,site)

$(TOOLS): $(READY)
	@$(call install,dev)
