@echo off
rem The program from a clone on Windows: sets itself up on the first start (see setup.sh), then runs "papierformer".
rem The packages lie in the user's folder: in the project OneDrive would upload them, and in a deep folder their
rem paths would be too long. Comments are plain ASCII, which every version of cmd reads.
setlocal
chcp 65001 >nul
set "PYTHONUTF8=1"
set "PYTHONSAFEPATH=1"
set "PYTHONHOME="
set "root=%~dp0"
set "PYTHONPATH=%root%"
set "own=%USERPROFILE%\.papierformer"
set "venv=%own%\umgebung"
set "log=%own%\protokoll.txt"
set "status=2"
if not exist "%root%requirements.lock" (
  echo Bitte zuerst die ganze ZIP-Datei entpacken und dann im entpackten Ordner starten. 1>&2
  goto failed
)
call :is_ready
if %errorlevel%==0 goto run
if not exist "%own%" mkdir "%own%"
set "begun="
rem As long as one set-up writes, Windows lets no second one write into this file.
call :setup >"%own%\sperre"
if not defined begun echo Die Einrichtung läuft schon in einem anderen Fenster; bitte warten, bis sie fertig ist. 1>&2
call :is_ready
if not %errorlevel%==0 goto failed

:run
if "%~1"=="" goto page
"%venv%\Scripts\python.exe" -m generator %*
exit /b %errorlevel%

:page
rem A double click opens the page; what fails stays to be read.
"%venv%\Scripts\python.exe" -m generator seite || pause
exit /b

:failed
if "%~1"=="" pause
exit /b %status%

:is_ready
"%venv%\Scripts\python.exe" -c "import sys; sys.exit(len({open(name, 'rb').read() for name in sys.argv[1:]}) - 1)" "%root%requirements.lock" "%venv%\ready-run" >nul 2>nul
exit /b %errorlevel%

:setup
set "begun=yes"
echo Papierformer wird eingerichtet (einmalig, ein bis zwei Minuten): 1>&2
set "python="
call :find_python
if not defined python call :install_python
if not defined python (
  echo Papierformer braucht Python 3.11 bis 3.15 für 64 Bit; bitte von python.org installieren ^("Windows installer (64-bit)", ohne Verwalterrechte möglich^). 1>&2
  exit /b
)
echo   Python-Umgebung 1>&2
%python% -m venv --clear "%venv%" >"%log%" 2>&1 || goto unfinished
set "PIP_DISABLE_PIP_VERSION_CHECK=1"
set "PIP_NO_INPUT=1"
echo   Python-Pakete 1>&2
call :bounded 1800 -m pip install --no-deps --require-hashes --only-binary :all: -r "%root%requirements.lock"
if not %errorlevel%==0 goto unfinished
rem What never changes is made once; if that fails, only the first sheet takes longer.
echo   Formeln und Seiten des Beispiels 1>&2
set "PAPIERFORMER_CACHE=%venv%\share\papierformer"
call :bounded 300 -m generator blatt "Die Katze sitzt auf der Matte" --ausgabe "%own%\beispiel"
set "PAPIERFORMER_CACHE="
if exist "%own%\beispiel" rmdir /s /q "%own%\beispiel"
copy /y /b "%root%requirements.lock" "%venv%\ready-run" >nul || goto unfinished
echo Fertig eingerichtet. 1>&2
exit /b 0

:unfinished
echo Die Einrichtung ist nicht gelungen; bitte alle Fenster von Papierformer schließen, prüfen, ob der Rechner mit dem Internet verbunden ist, und noch einmal starten. 1>&2
echo Einzelheiten stehen in "%log%". 1>&2
set "status=1"
exit /b

:bounded
rem Seconds, then what follows "python": what takes longer is ended.
"%venv%\Scripts\python.exe" -c "import subprocess, sys; sys.exit(subprocess.run([sys.executable, *sys.argv[2:]], timeout=int(sys.argv[1]), stdin=subprocess.DEVNULL).returncode)" %* >>"%log%" 2>&1
exit /b %errorlevel%

:find_python
call :try py -3
call :try python
call :try python3
for %%V in (313 314 315 312 311) do (
  call :try "%LOCALAPPDATA%\Programs\Python\Python%%V\python.exe"
  call :try "%ProgramFiles%\Python%%V\python.exe"
)
exit /b

:try
rem There are packages for x64 (which Windows on Arm runs, too) and the usual build. The alias "python" that only
rem opens the Store is known by running nothing.
if defined python exit /b
%* -c "import sys, sysconfig as c; sys.exit(not ((3, 11) <= sys.version_info < (3, 16) and c.get_platform() == 'win-amd64' and not c.get_config_var('Py_GIL_DISABLED')))" >nul 2>nul && set python=%*
exit /b 0

:install_python
where winget >nul 2>nul || exit /b
set "answer="
echo Python fehlt. Soll es jetzt für dieses Benutzerkonto installiert werden ^(von python.org, ohne Verwalterrechte^)? [j/n] 1>&2
set /p "answer="
if /i not "%answer%"=="j" if /i not "%answer%"=="ja" exit /b
echo   Python 1>&2
winget install --exact --id Python.Python.3.13 --scope user --architecture x64 --silent --accept-package-agreements --accept-source-agreements --disable-interactivity >"%log%" 2>&1
call :find_python
exit /b
